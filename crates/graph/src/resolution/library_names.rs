//! Names of members that the types of a language's own library have: with nothing known of what
//! stands before the dot, such a name speaks for no definition of the view.

use std::{collections::HashSet, sync::OnceLock};

use crate::input::family::Family;

/// Says whether a member's name is one that library types have, too.
pub(crate) fn is_common(family: Family, name: &str) -> bool {
    static ANY: OnceLock<HashSet<&str>> = OnceLock::new();
    static OWN: [OnceLock<HashSet<&str>>; 9] = [const { OnceLock::new() }; 9];
    let (at, own) = match family {
        Family::Script => (0, SCRIPT),
        Family::Python => (1, PYTHON),
        Family::Go => (2, GO),
        Family::Jvm => (3, JVM),
        Family::Rust => (4, RUST),
        Family::Dotnet => (5, DOTNET),
        Family::Native => (6, NATIVE),
        Family::Ruby => (7, RUBY),
        Family::Swift => (8, SWIFT),
        _ => return names(&ANY, COMMON).contains(name),
    };
    names(&ANY, COMMON).contains(name) || names(&OWN[at], own).contains(name)
}

fn names(
    set: &'static OnceLock<HashSet<&'static str>>,
    text: &'static str,
) -> &'static HashSet<&'static str> {
    set.get_or_init(|| text.split_whitespace().collect())
}

/// Of whatever language.
const COMMON: &str = "\
    add append apply bind call catch clear clone close concat copy count delete end entries \
    filter find flush format get has index insert items iter join keys kind len length map match \
    name next open parse path pop push read remove replace set size slice sort split start \
    status string test then toString type unwrap update value values write";

/// Built-in objects, the web platform, streams of Node.
const SCRIPT: &str = "\
    abort addEventListener addListener anchor appendChild arguments arrayBuffer at attribute big \
    blink blob body bodyUsed bold bubbles buffer byteLength byteOffset bytes cache caller cancel \
    cancelable cancelBubble cause charAt charCodeAt childNodes children classList code \
    codePointAt compile composed composedPath constructor copyWithin credentials currentTarget \
    debug decode defaultPrevented description destination destroy dispatchEvent done dotAll \
    duplex emit encode encodeInto encoding endsWith error eventPhase every exec fatal fill \
    finally findIndex findLast findLastIndex fixed flags flat flatMap fontcolor fontsize forEach \
    formatRange formatRangeToParts formatToParts formData getAll getAttribute getBigInt64 \
    getBigUint64 getDate getDay getFloat32 getFloat64 getFullYear getHours getInt16 getInt32 \
    getInt8 getMilliseconds getMinutes getMonth getReader getSeconds getSetCookie getTime \
    getTimezoneOffset getUint16 getUint32 getUint8 getUTCDate getUTCDay getUTCFullYear \
    getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getWriter getYear \
    global hash hasIndices hasOwnProperty headers host hostname href ignoreBOM ignoreCase \
    includes indexOf info initEvent innerHTML integrity isHistoryNavigation isPrototypeOf \
    isReloadNavigation isTrusted isWellFormed italics json keepalive lastIndexOf link \
    localeCompare locked log matchAll maxByteLength message method mode multiline nodeType \
    normalize off ok on once origin padEnd padStart parentNode password pathname pid pipe \
    pipeThrough pipeTo port preventDefault propertyIsEnumerable protocol querySelector \
    querySelectorAll readable redirect redirected reduce reduceRight referrer referrerPolicy \
    removeChild removeEventListener removeListener repeat replaceAll resizable resize \
    resolvedOptions return returnValue reverse search searchParams setAttribute setBigInt64 \
    setBigUint64 setDate setFloat32 setFloat64 setFullYear setHours setInt16 setInt32 setInt8 \
    setMilliseconds setMinutes setMonth setSeconds setTime setUint16 setUint32 setUint8 \
    setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth \
    setUTCSeconds setYear shift signal small some source splice srcElement stack startsWith \
    statusText stderr stdout sticky stopImmediatePropagation stopPropagation stream strike style \
    sub substr substring sup tagName target tee text textContent throw timeStamp toDateString \
    toExponential toFixed toGMTString toISOString toJSON toLocaleDateString toLocaleLowerCase \
    toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase toPrecision toReversed \
    toSorted toSpliced toTimeString toUpperCase toUTCString toWellFormed trim trimEnd trimLeft \
    trimRight trimStart unicode unicodeSets unshift url username valueOf warn with writable";

/// Built-in types, files, paths, threads, sockets.
const PYTHON: &str = "\
    absolute accept acquire add_argument add_argument_group add_done_callback \
    add_mutually_exclusive_group add_subparsers addFilter addHandler anchor appendleft \
    as_integer_ratio as_posix as_uri astimezone bit_count bit_length buffer callHandlers cancel \
    cancelled cancelling capitalize casefold center chmod closed combine communicate conjugate \
    connect connect_ex convert_arg_line_to_args createLock critical ctime cwd daemon date day \
    days debug decode default_factory denominator detach difference difference_update discard \
    done drive dst dup elements emit empty encode encoding endpos endswith error errors \
    exception exists exit expand expandtabs expanduser extend extendleft family fatal fileno \
    findall findCaller finditer flags fold format_help format_map format_usage from_bytes \
    fromhex fromisocalendar fromisoformat fromkeys fromordinal fromtimestamp full fullmatch \
    get_coro get_default get_inheritable get_loop get_name get_nowait get_stack getblocking \
    getChild getEffectiveLevel getName getpeername getsockname getsockopt gettimeout getvalue \
    glob group groupdict groupindex groups handle handleError hardlink_to hasHandlers hex home \
    hour ident imag info intersection intersection_update is_absolute is_alive is_block_device \
    is_char_device is_dir is_fifo is_file is_integer is_mount is_relative_to is_reserved is_set \
    is_socket is_symlink isalnum isalpha isascii isatty isDaemon isdecimal isdigit isdisjoint \
    isEnabledFor isidentifier islower isnumeric isocalendar isoformat isoweekday isprintable \
    isSet isspace issubset issuperset istitle isupper iterdir joinpath kill lastgroup lastindex \
    lchmod line_buffering link_to listen ljust log lower lstat lstrip makefile makeRecord \
    maketrans manager max maxlen maxsize microsecond microseconds min minute mkdir mode month \
    most_common move_to_end native_id newlines now numerator owner parent parents parse_args \
    parse_intermixed_args parse_known_args parse_known_intermixed_args partition parts pattern \
    peek poll popitem popleft pos print_help print_stack print_usage proto put put_nowait qsize \
    raw re read1 read_bytes read_text readable readinto readinto1 readline readlines readlink \
    real reconfigure recv recv_into recvfrom recvfrom_into recvmsg recvmsg_into register regs \
    relative_to release remove_done_callback removeFilter removeHandler removeprefix \
    removesuffix rename resolution resolve result reverse rfind rglob rindex rjust rmdir root \
    rotate rpartition rsplit rstrip run samefile scanner search second seconds seek seekable \
    send send_signal sendall sendfile sendmsg sendmsg_afalg sendto set_defaults set_exception \
    set_inheritable set_name set_result setblocking setDaemon setdefault setFormatter setLevel \
    setName setsockopt settimeout shutdown span splitlines startswith stat stem strftime strip \
    strptime sub subn subtract suffix suffixes swapcase symlink_to symmetric_difference \
    symmetric_difference_update task_done tell terminate time timeout timestamp timetuple timetz \
    title to_bytes today toordinal total total_seconds touch translate truncate tzinfo tzname \
    uncancel union universal_newlines unlink upper utcfromtimestamp utcnow utcoffset \
    utctimetuple wait warn warning weekday with_name with_stem with_suffix writable write_bytes \
    write_text write_through writelines year zfill";

/// What packages of the standard library give methods.
const GO: &str = "\
    Abs Accept AcceptTCP AcceptUnix Add AddCookie AddDate AddParseTree Addr AddrPort Addrs After \
    Align AllocedBytesPerOp AllocsPerOp AppendFormat Arg Args AssignableTo Available \
    AvailableBuffer Back BasicAuth Before Begin BeginTx Bits Bool BoolVar Broadcast Buffer \
    Buffered BuildNameToCertificate Bytes Call CallSlice CanAddr CancelRequest CanComplex \
    CanConvert CanFloat CanInt CanInterface CanSet CanUint Cap Certificate ChanDir Chdir Chmod \
    Chown Cleanup Client Clock Clone Close CloseClientConnections CloseIdleConnections \
    CloseNotify CloseRead CloseWithError CloseWrite Columns ColumnTypes Commit Comparable \
    CompareAndSwap Complex Conn ConnectionState Contains Context Convert ConvertibleTo Cookie \
    Cookies Copy DatabaseTypeName Date Day Deadline DecimalSize Decode DefaultMask \
    DefinedTemplates Del Delete Delims Dial DialContext DisallowUnknownFields Discard Do Done \
    Driver Duration DurationVar Elem Encode Equal Err Error Errorf ErrorHandling EscapedFragment \
    EscapedPath Exec ExecContext Execute ExecuteTemplate ExitCode Exited Expand ExpandString \
    ExpFloat64 ExportKeyingMaterial Fail Failed FailNow Fatal Fatalf Fatalln Fd Field FieldAlign \
    FieldByIndex FieldByIndexErr FieldByName FieldByNameFunc File Find FindAll FindAllIndex \
    FindAllString FindAllStringIndex FindAllStringSubmatch FindAllStringSubmatchIndex \
    FindAllSubmatch FindAllSubmatchIndex FindIndex FindReaderIndex FindReaderSubmatchIndex \
    FindString FindStringIndex FindStringSubmatch FindStringSubmatchIndex FindSubmatch \
    FindSubmatchIndex Flags Float Float32 Float64 Float64Var Flush Format FormFile FormValue \
    Front Func Funcs Fuzz Get Glob GobDecode GobEncode GoString Grow Handle HandleFunc Handler \
    Handshake HandshakeContext Has Head Header Helper Hijack Hostname Hour Hours Implements In \
    Index Info Init InputOffset InsertAfter InsertBefore Int Int31 Int31n Int63 Int63n Int64 \
    Int64Var Interface InterfaceData Intn IntVar IsAbs IsDir IsDST IsExported IsGlobalUnicast \
    IsInterfaceLocalMulticast IsLinkLocalMulticast IsLinkLocalUnicast IsLoopback IsMulticast \
    IsNil ISOWeek IsPrivate IsRegular IsUnspecified IsValid IsVariadic IsZero JoinPath Key Kill \
    Kind LastInsertId Len Length Less Listen ListenAndServe ListenAndServeTLS ListenPacket \
    LiteralPrefix Load LoadAndDelete LoadOrStore Local LocalAddr Location Lock Log Logf Longest \
    Lookup LookupAddr LookupCNAME LookupHost LookupIP LookupIPAddr LookupMX LookupNetIP LookupNS \
    LookupPort LookupSRV LookupTXT MapIndex MapKeys MapRange MarshalBinary MarshalJSON \
    MarshalText Mask Match MatchReader MatchString MemString Method MethodByName Microseconds \
    Milliseconds Minute Minutes Mode ModTime Month More MoveAfter MoveBefore MoveToBack \
    MoveToFront MulticastAddrs MultipartReader Name Nanosecond Nanoseconds NArg NetConn Network \
    New Next NextResultSet NFlag NormFloat64 NsPerOp Nullable NumField NumIn NumMethod NumOut \
    NumSubexp OCSPResponse Open Option Out Output OverflowComplex OverflowFloat OverflowInt \
    OverflowUint Panic Panicf Panicln Parallel Parse Parsed ParseFiles ParseForm ParseFS \
    ParseGlob ParseMultipartForm Password Peek Perm Pid Ping PingContext PkgPath Pointer Port \
    Post PostForm PostFormValue Prefix Prepare PrepareContext Prev Print PrintDefaults Printf \
    Println ProtoAtLeast Push PushBack PushBackList PushFront PushFrontList Put Query \
    QueryContext QueryRow QueryRowContext Range Raw Read ReadAt ReadByte ReadBytes ReadDir \
    Readdir Readdirnames ReadFile ReadFrom ReadFromIP ReadFromUDP ReadFromUDPAddrPort \
    ReadFromUnix ReadLine ReadMsgIP ReadMsgUDP ReadMsgUDPAddrPort ReadMsgUnix ReadRune ReadSlice \
    ReadString Recv Redacted Referer RegisterOnShutdown RegisterProtocol Release RemoteAddr \
    Remove Replace ReplaceAll ReplaceAllFunc ReplaceAllLiteral ReplaceAllLiteralString \
    ReplaceAllString ReplaceAllStringFunc ReportAllocs ReportMetric RequestURI Reset ResetTimer \
    ResolveReference Result RLock RLocker Rollback Round RoundTrip RowsAffected Run RUnlock \
    RunParallel Scan ScanType Search Second Seconds Seed Seek Send Serve ServeHTTP ServeTLS Set \
    SetBasicAuth SetBool SetBytes SetCap SetComplex SetConnMaxIdleTime SetConnMaxLifetime \
    SetCookies SetDeadline Setenv SetEscapeHTML SetFlags SetFloat SetIndent SetInt SetIterKey \
    SetIterValue SetKeepAlive SetKeepAlivePeriod SetKeepAlivesEnabled SetLen SetLinger \
    SetMapIndex SetMaxIdleConns SetMaxOpenConns SetNoDelay SetOutput SetParallelism SetPointer \
    SetPrefix SetReadDeadline SetSessionTicketKeys SetString SetUint SetUnlinkOnClose \
    SetWriteDeadline Shuffle Shutdown Signal Size Skip Skipf SkipNow Skipped Slice Slice3 Sort \
    Split Start StartTimer StartTLS Stat Stats Stmt StmtContext Stop StopTimer Store String \
    StringVar Sub SubexpIndex SubexpNames Success SupportsCertificate Swap Sync Sys SyscallConn \
    SystemTime SysUsage TempDir Templates Temporary Text TextVar Timeout To16 To4 Token Truncate \
    TryLock TryRecv TryRLock TrySend Type Uint Uint32 Uint64 Uint64Var UintVar Unix UnixMicro \
    UnixMilli UnixNano Unlock UnmarshalBinary UnmarshalJSON UnmarshalText UnreadByte UnreadRune \
    UnsafeAddr UnsafePointer Unwrap UseNumber UserAgent Username UserTime UTC Valid Value Values \
    Var VerifyHostname Visit VisitAll Wait Weekday WithContext Write WriteAt WriteByte \
    WriteHeader WriteMsgIP WriteMsgUDP WriteMsgUDPAddrPort WriteMsgUnix WriteProxy Writer \
    WriteRune WriteString WriteSubset WriteTo WriteToIP WriteToUDP WriteToUDPAddrPort \
    WriteToUnix Year YearDay Zone ZoneBounds";

/// `java.lang`, `java.util`, `java.io`, and extensions of Kotlin.
const JVM: &str = "\
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

/// Iterators, options, results, strings, vectors, maps, paths, streams.
const RUST: &str = "\
    abs all and and_then any as_bytes as_deref as_mut as_mut_ptr as_mut_slice as_os_str as_path \
    as_ptr as_ref as_slice as_str ascii back binary_search borrow borrow_mut by_ref bytes \
    capacity chain char_indices chars checked_add checked_sub chunks cloned cmp collect \
    components contains contains_key copied copy_from_slice cycle dedup deref deref_mut display \
    drain elapsed ends_with entry enumerate eof eq exists exit expect expect_err extend \
    extend_from_slice extension file_name file_stem fill filter_map find_map finish first \
    first_mut flat_map flatten fmt fold for_each from_str front ge get_mut get_or_init \
    get_or_insert_with gt hash hint id insert_str inspect inspect_err into into_boxed_slice \
    into_bytes into_inner into_iter into_owned into_string into_vec is_absolute is_alphabetic \
    is_alphanumeric is_ascii is_char_boundary is_digit is_dir is_empty is_err is_file is_none \
    is_none_or is_numeric is_ok is_ok_and is_some is_some_and is_uppercase is_whitespace \
    iter_mut last last_mut le len_utf8 lines load lock lt map_err map_or map_or_else map_while \
    match_indices matches max max_by max_by_key message metadata min min_by min_by_key mul ne \
    next_back nth ok ok_or ok_or_else or or_default or_else or_insert or_insert_with parent \
    partial_cmp partition peek peekable pop_back pop_front pos position product ptr_eq push_back \
    push_front push_str read_dir read_exact read_line read_to_end read_to_string recv reduce \
    repeat replacen reserve resize retain rev reverse rfind rposition rsplit rsplit_once rsplitn \
    saturating_add saturating_sub seek send skip skip_while sleep sort_by sort_by_key \
    sort_unstable source spawn splice split_ascii_whitespace split_at split_first split_last \
    split_off split_once split_whitespace splitn start_with starts_with stderr stdin stdout \
    step_by store strip_prefix strip_suffix sub sum swap swap_remove take take_while then_some \
    to_ascii_lowercase to_ascii_uppercase to_bits to_digit to_lowercase to_owned to_path_buf \
    to_str to_string to_string_lossy to_uppercase to_vec transpose trim trim_end \
    trim_end_matches trim_matches trim_start trim_start_matches truncate try_for_each try_from \
    try_into unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip upgrade values_mut wait \
    windows with_capacity with_context with_extension wrapping_add write_all write_char \
    write_fmt write_str zip";

/// Collections, LINQ, strings, reflection, tasks.
const DOTNET: &str = "\
    Add AddRange All Any Append AppendLine AsReadOnly AsSpan Average Cast Clear Clone Close \
    Combine Compare CompareTo Concat Contains ContainsKey Copy CopyTo Count Create Current \
    Delete Dequeue Dispose DisposeAsync Distinct Empty EndsWith Enqueue Equals Except Exists \
    Find FindAll First FirstOrDefault Flush ForEach Format GetAwaiter GetBytes GetEnumerator \
    GetHashCode GetMethod GetMethods GetProperties GetProperty GetResult GetString GetType \
    GetValue GroupBy IndexOf Insert Intersect Invoke IsAssignableFrom Item Items Join Key Keys \
    Last LastIndexOf LastOrDefault Length Log Match Matches Max Message Min MoveNext Name Next \
    OfType OrderBy OrderByDescending Parse Peek Pop Push Read ReadLine ReadToEnd Remove \
    RemoveAll RemoveAt Replace Reset Result Reverse Run Select SelectMany Set SetValue Single \
    SingleOrDefault Skip SkipWhile Sort Split Start StartsWith Stop Substring Sum Take TakeWhile \
    ThenBy ToArray ToDictionary ToHashSet ToList ToLookup ToLower ToLowerInvariant ToString \
    ToUpper ToUpperInvariant Trim TrimEnd TrimStart TryAdd TryGetValue TryParse TryRemove Type \
    Union Value Values Wait Where Write WriteLine Zip";

/// Containers, strings, streams, pointers of C++.
const NATIVE: &str = "\
    assign at back begin c_str capacity cbegin cend compare data emplace emplace_back empty \
    erase exchange fail fetch_add fill find_first_of find_last_of first front getline good \
    has_value is_open load lock lower_bound max_size merge move native notify_all notify_one \
    pop_back pop_front push_back push_front rbegin rdbuf release rend reserve reset resize \
    second seekg splice store str substr swap tellg top try_lock unlock upper_bound value_or \
    wait what width";

/// Arrays, hashes, strings, objects.
const RUBY: &str = "\
    abs all? any? assoc at capitalize chars chomp collect compact delete_if detect dig downcase \
    dup each each_char each_key each_line each_pair each_slice each_value each_with_index \
    each_with_object empty? end_with? eql? exist? extend fetch find_all first flat_map flatten \
    force_encoding freeze frozen? group_by gsub has_key? include? inject inspect instance_eval \
    instance_variable_get instance_variable_set is_a? key? kind_of? last lines match? max merge \
    merge! method methods min new nil? none? private reduce reject respond_to? reverse rewind \
    rstrip scan select send shift sort_by start_with? strip sub sum tap times to_a to_h to_i \
    to_s to_str to_sym tr transform_values uniq unshift upcase zip";

/// Collections and strings.
const SWIFT: &str = "\
    cancel contains description dropFirst dropLast enumerated first flatMap forEach hasPrefix \
    hasSuffix isEmpty joined last lowercased max min prefix reduce removeAll removeFirst \
    removeLast replacingOccurrences resume reversed sorted suffix trimmingCharacters uppercased \
    zip";
