//! Java: names join with `.`; the package is not part of them.

use crate::family::Family;
use crate::name_rules::NameRules;
use crate::package_head::package;
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static JAVA: Spec = Spec {
    grammar: crate::grammars::java,
    defs: &[
        def("class_declaration", SymbolKind::Class, "name"),
        def("record_declaration", SymbolKind::Class, "name"),
        def("interface_declaration", SymbolKind::Interface, "name"),
        def("annotation_type_declaration", SymbolKind::Interface, "name"),
        def("enum_declaration", SymbolKind::Enum, "name"),
        def("enum_constant", SymbolKind::EnumMember, "name"),
        def("method_declaration", SymbolKind::Method, "name"),
        def(
            "annotation_type_element_declaration",
            SymbolKind::Method,
            "name",
        ),
        def("constructor_declaration", SymbolKind::Constructor, "name"),
        def(
            "compact_constructor_declaration",
            SymbolKind::Constructor,
            "name",
        ),
        hook("field_declaration"),
        hook("constant_declaration"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: &[
        ("method_invocation", "name", NodeRole::Member),
        ("field_access", "field", NodeRole::PathTail),
        ("scoped_identifier", "name", NodeRole::PathTail),
        ("scoped_type_identifier", "", NodeRole::LastPart),
        ("method_reference", "", NodeRole::LastPart),
        ("parenthesized_expression", "", NodeRole::Transparent),
        ("generic_type", "", NodeRole::Transparent),
        ("object_creation_expression", "type", NodeRole::Call),
        ("superclass", "", NodeRole::Inherit),
        ("type_list", "", NodeRole::Inherit),
        ("type_arguments", "", NodeRole::Type),
        ("annotation", "name", NodeRole::Decorator),
        ("marker_annotation", "name", NodeRole::Decorator),
        ("element_value_pair", "key", NodeRole::Key),
        ("assignment_expression", "left", NodeRole::Write),
        ("update_expression", "", NodeRole::Write),
        ("variable_declarator", "name", NodeRole::Local),
        ("formal_parameter", "name", NodeRole::Local),
        ("inferred_parameters", "", NodeRole::Local),
        ("lambda_expression", "parameters", NodeRole::Local),
        ("catch_formal_parameter", "name", NodeRole::Local),
        ("enhanced_for_statement", "name", NodeRole::Local),
        ("resource", "name", NodeRole::Local),
        ("instanceof_expression", "name", NodeRole::Local),
        ("type_pattern", "", NodeRole::Local),
        ("type_parameter", "", NodeRole::Skip),
        ("package_declaration", "", NodeRole::Skip),
        ("labeled_statement", "", NodeRole::Skip),
        ("break_statement", "", NodeRole::Skip),
        ("continue_statement", "", NodeRole::Skip),
    ],
    scopes: &[
        "method_declaration",
        "constructor_declaration",
        "lambda_expression",
        "static_initializer",
    ],
    blocks: &[
        "block",
        "for_statement",
        "enhanced_for_statement",
        "catch_clause",
        "try_with_resources_statement",
        "switch_block_statement_group",
        "switch_rule",
    ],
    literals: &[("annotation", "name")],
    imports: &["import_declaration"],
    counts_arguments: true,
    of_file: package,
    define,
    import,
    exported: |head: &DefinitionHead<'_>| !head.has("private") && head.parent_exported(),
    calls_pass_locals: true,
    names: &NameRules {
        functions_need_brackets: true,
        ..NAMES
    },
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Jvm,
    members_are_in_scope: true,
    folder_is_scope: true,
    imports_are_private: true,
    has_overloads: true,
    has_value_wrappers: true,
    wrappers_hand_over: true,
    extends_from_outside: true,
    results_stand_first: true,
    heads_are_code: true,
    makes_with_new: true,
    main_starts_programs: true,
    classes_are_anonymous: true,
    library_names: LIBRARY_NAMES,
    package_joint: Some('.'),
    heads_name_outer_types: true,
    ..NameRules::NONE
};

/// `java.lang`, `java.util`, `java.io`, and extensions of Kotlin.
const LIBRARY_NAMES: &str = "\
    abs accept acceptEither acceptEitherAsync accumulateAndGet activeCount addAll addAndGet \
    addFirst addLast addSuppressed addTo adjustInto after alignedSlice alignmentOffset all \
    allMatch allocate allocateDirect allOf also and andThen any anyMatch anyOf appendCodePoint \
    appendReplacement appendTail applyToEither applyToEitherAsync array arrayOffset arrayType \
    asCharBuffer asDoubleBuffer asFloatBuffer asIntBuffer asLongBuffer asMatchPredicate \
    asPredicate asReadOnlyBuffer asShortBuffer associate associateBy associateWith asSubclass \
    async atOffset atZone available averagingDouble averagingInt averagingLong await \
    awaitTermination before between bitCount builder byteValue canAccess cancel canExecute \
    canRead canWrite capacity cast charAt chars checkAccess checkError chunked clockSequence \
    codePointAt codePointBefore codePointCount codePoints collect collectingAndThen compact \
    compare compareAndExchange compareAndSet compareTo compareUnsigned comparing comparingByKey \
    comparingByValue comparingDouble comparingInt comparingLong compile complete completeAsync \
    completedFuture completedStage completeOnTimeout componentType compose compute \
    computeIfAbsent computeIfPresent contains containsAll containsKey containsValue \
    contentEquals copyOf copyValueOf countDown counting countStackFrames create createNewFile \
    createTempFile currentThread decode decrementAndGet defaultExecutor delayedExecutor \
    deleteCharAt deleteOnExit delimiter descendingIterator describeConstable descriptorString \
    distinct dividedBy divideUnsigned doubles doubleValue drop dropLast dropWhile dumpStack \
    duplicate element elements emit empty endsWith ensureCapacity entry entrySet enumerate \
    equals equalsIgnoreCase exceptionally exceptionallyAsync execute exists failedFuture \
    failedStage fillInStackTrace filtering filterNot filterNotNull filterTags findAll findAny \
    findFirst findInLine findWithinHorizon first firstOrNull flags flatMap flatMapping \
    flatMapToDouble flatMapToInt flatMapToLong flatten flip floatValue fold forEach \
    forEachIndexed forEachOrdered forEachRemaining forLanguageTag formatted forName from \
    fromString generate getAbsoluteFile getAbsolutePath getAcquire getAllStackTraces \
    getAndAccumulate getAndAdd getAndDecrement getAndIncrement getAndSet getAndUpdate \
    getAnnotatedType getAnnotation getAnnotations getAuthority getBoolean getByte getBytes \
    getCanonicalFile getCanonicalName getCanonicalPath getCause getChar getChars getClass \
    getClasses getClassLoader getComponentType getConstructor getConstructors getContent \
    getCount getCountry getDate getDay getDeclaredClasses getDeclaredField getDeclaredFields \
    getDeclaredMethod getDeclaredMethods getDeclaringClass getDefault getDefaultPort \
    getDefaultValue getDisplayCountry getDisplayLanguage getDisplayName getDisplayScript \
    getDisplayVariant getDouble getEnclosingClass getEnclosingMethod getEnumConstants \
    getEpochSecond getExceptionTypes getExtension getExtensionKeys getField getFields getFile \
    getFileName getFileSystem getFirst getFloat getFragment getFreeSpace getGenericType getHost \
    getHours getId getInt getInteger getInterfaces getISO3Country getISO3Language \
    getISOCountries getISOLanguages getKey getLanguage getLast getLong getLowerBounds getMessage \
    getMethod getMethods getMinutes getModifiers getModule getMonth getName getNameCount getNano \
    getNestHost getNestMembers getNow getOpaque getOrDefault getOrElse getOrNull getOrPut \
    getOwnerType getPackage getPackageName getParameterCount getParameters getParameterTypes \
    getParent getParentFile getPath getPlain getPort getPriority getProperty getProtocol \
    getQuery getRawAuthority getRawFragment getRawPath getRawQuery getRawType getRawUserInfo \
    getRef getResource getReturnType getRoot getScheme getScript getSeconds getShort getSigners \
    getSimpleName getStackTrace getState getSuperclass getSuppressed getThreadGroup getTime \
    getTimezoneOffset getTotalSpace getType getTypeName getTypeParameters getUnits \
    getUpperBounds getUsableSpace getUserInfo getValue getVariant getYear group groupBy \
    groupCount groupingBy handle handleAsync hasAnchoringBounds hasArray hasExtensions hashCode \
    hasNext hasNextBigDecimal hasNextBigInteger hasNextBoolean hasNextByte hasNextDouble \
    hasNextFloat hasNextInt hasNextLine hasNextLong hasNextShort hasRemaining highestOneBit \
    hitEnd holdsLock identity ifPresent ifPresentOrElse incrementAndGet indent indexOf indices \
    initCause intern interrupt interrupted ints intValue invoke invokeAll invokeAny ioException \
    isAbsolute isAccessible isAfter isAlive isAnnotation isAnonymousClass isArray \
    isAssignableFrom isBefore isBlank isBridge isCancelled isDaemon isDefault isDeprecated \
    isDirect isDirectory isDone isEmpty isEnum isEnumConstant isEqual isFile isHidden isInstance \
    isInterface isInterrupted isLocalClass isMemberClass isNegative isNestmateOf isNotBlank \
    isNotEmpty isNullOrEmpty isOpaque isParallel isPresent isPrimitive isReadOnly isRecord \
    isSealed isShutdown isSupported isSynthetic isTerminated isVarArgs isZero iterate iterator \
    joining joinToString keySet last lastIndex lastIndexOf lastModified lastOrNull launch \
    lazySet let limit lines list listFiles listIterator listRoots load loadFromXML locale lock \
    lockInterruptibly longs longValue lookingAt lookup lookupTag lowercase lowestOneBit mapMulti \
    mapMultiToDouble mapMultiToInt mapMultiToLong mapNotNull mapping mapToDouble mapToInt \
    mapToLong mark markSupported matcher matches max maxBy merge min minBy minus minusDays \
    minusHours minusMillis minusMinutes minusNanos minusSeconds mismatch mkdir mkdirs \
    multipliedBy nameUUIDFromBytes naturalOrder negate negated newCondition newInstance \
    nextBigDecimal nextBigInteger nextBoolean nextByte nextBytes nextDouble nextExponential \
    nextFloat nextGaussian nextInt nextLine nextLong nextShort node none noneMatch normalize not \
    notify notifyAll now nullInputStream nullOutputStream nullReader nullsFirst nullsLast \
    nullWriter obtrudeException obtrudeValue of ofDays ofEntries ofEpochMilli ofEpochSecond \
    offer offerFirst offerLast offsetByCodePoints ofHours ofMillis ofMinutes ofNanos ofNullable \
    ofSeconds onClose onSpinWait openConnection openStream or order ordinal orElse orElseGet \
    orElseThrow orEmpty orTimeout padEnd padStart parallel parallelStream parseInt \
    parseUnsignedInt partitioningBy pattern peek peekFirst peekLast plus plusDays plusHours \
    plusMillis plusMinutes plusNanos plusSeconds poll pollFirst pollLast position print printf \
    println printStackTrace propertyNames put putAll putChar putDouble putFloat putIfAbsent \
    putInt putLong putShort query quote quoteReplacement radix randomUUID range readAllBytes \
    readNBytes ready reduce reducing region regionEnd regionMatches regionStart register \
    relativize remainderUnsigned remaining removeAll removeFirst removeIf removeLast renameTo \
    repeat replaceAll replaceFirst requireEnd reset resolve resolveSibling results resume \
    retainAll reverse reverseBytes reversed reverseOrder rewind rotateLeft rotateRight run \
    runAfterBoth runAfterBothAsync runAfterEither runAsync sameFile save sequential \
    setAccessible setBoolean setByte setChar setCharAt setDaemon setDate setDefault setDouble \
    setExecutable setFloat setHours setInt setLastModified setLength setLong setMinutes setMonth \
    setName setOpaque setPlain setPriority setProperty setReadable setReadOnly setRelease \
    setSeconds setSeed setShort setStackTrace setTime setValue setWritable setYear shortValue \
    shutdown shutdownNow signum single singleOrNull skip skipNBytes sleep sorted sortedBy \
    splitAsStream spliterator startsWith stop store storeToXML stream strip stripExtensions \
    stripIndent stripLeading stripTrailing subList submit subpath subSequence substring \
    substringAfter substringBefore subtractFrom sum summarizingDouble summarizingInt \
    summarizingLong summingDouble summingInt summingLong sumOf supplyAsync suspend take takeIf \
    takeLast takeUnless takeWhile teeing thenAccept thenAcceptAsync thenAcceptBoth thenApply \
    thenApplyAsync thenCombine thenCombineAsync thenComparing thenComparingInt thenComparingLong \
    thenCompose thenComposeAsync thenRun thenRunAsync timestamp toAbsolutePath toArray \
    toASCIIString toBinaryString toCharArray toCollection toConcurrentMap toDays toDaysPart \
    toEpochMilli toExternalForm toFile toGenericString toGMTString toHexString toHours \
    toHoursPart toInstant tokens toLanguageTag toList toLocaleString toLowerCase toMap \
    toMatchResult toMillis toMillisPart toMinutes toMinutesPart toMutableList toNanos \
    toNanosPart toOctalString toPath toRealPath toSeconds toSecondsPart toSet toTypedArray \
    toUnmodifiableList toUnmodifiableMap toUnmodifiableSet toUnsignedLong toUnsignedString \
    toUpperCase toURI toUri toURL transferTo transform translateEscapes trim trimIndent \
    trimToSize truncatedTo tryLock trySetAccessible unlock unordered until updateAndGet \
    uppercase use useAnchoringBounds useDelimiter useLocale usePattern useRadix UTC valueOf \
    variant version wait weakCompareAndSet whenComplete whenCompleteAsync windowed with withLock \
    withNanos withSeconds wrap writeBytes yield zip";

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let head: String = context.text(node).chars().take(80).collect();
    let constant =
        head.contains("static") && head.contains("final") || node.kind() == "constant_declaration";
    let kind = if constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    let mut cursor = node.walk();
    node.children_by_field_name("declarator", &mut cursor)
        .filter_map(|declarator| declarator.child_by_field_name("name"))
        .map(|name| Definition::new(kind, node, name))
        .collect()
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let mut cursor = node.walk();
    let parts: Vec<_> = node.named_children(&mut cursor).collect();
    let Some(path) = parts.first().map(|part| context.text(*part)) else {
        return Vec::new();
    };
    let all = parts.iter().any(|part| part.kind() == "asterisk");
    let (module, name) = match path.rsplit_once('.') {
        Some((module, name)) if !all => (module, name),
        _ => (path, "*"),
    };
    let names = vec![ImportedName {
        name: name.to_owned(),
        local: name.to_owned(),
    }];
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module: module.to_owned(),
        names,
        kind: ImportKind::Import,
        line,
    }]
}
