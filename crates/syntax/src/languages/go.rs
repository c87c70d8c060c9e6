//! Go: names join with `.`; a method is `Receiver.Method`; a capital exports.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{
    HintKind, Import, ImportKind, ImportedName, Local, OUTER_PACKAGE, ReferenceKind, SymbolKind,
};
use tree_sitter::Node;

pub(crate) static GO: Spec = Spec {
    grammar: crate::grammars::go,
    defs: &[
        def("function_declaration", SymbolKind::Function, "name"),
        hook("method_declaration"),
        hook("type_spec"),
        def("type_alias", SymbolKind::TypeAlias, "name"),
        hook("const_spec"),
        hook("var_spec"),
        hook("field_declaration"),
        def("method_elem", SymbolKind::Method, "name"),
        def("method_spec", SymbolKind::Method, "name"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("field_identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: &[
        ("selector_expression", "field", NodeRole::PathTail),
        ("qualified_type", "name", NodeRole::PathTail),
        ("qualified_type", "package", NodeRole::Skip),
        ("parenthesized_expression", "", NodeRole::Transparent),
        (
            "type_instantiation_expression",
            "type",
            NodeRole::Transparent,
        ),
        ("generic_type", "type", NodeRole::Transparent),
        ("call_expression", "function", NodeRole::Call),
        ("assignment_statement", "left", NodeRole::Write),
        ("expression_list", "", NodeRole::Transparent),
        ("assignment_statement", "right", NodeRole::Read),
        ("return_statement", "", NodeRole::Read),
        ("inc_statement", "", NodeRole::Write),
        ("dec_statement", "", NodeRole::Write),
        ("short_var_declaration", "left", NodeRole::Local),
        ("short_var_declaration", "right", NodeRole::Read),
        ("range_clause", "left", NodeRole::Local),
        ("range_clause", "right", NodeRole::Read),
        ("receive_statement", "left", NodeRole::Local),
        ("var_spec", "name", NodeRole::Local),
        ("const_spec", "name", NodeRole::Local),
        ("parameter_declaration", "name", NodeRole::Local),
        ("variadic_parameter_declaration", "name", NodeRole::Local),
        ("type_switch_statement", "alias", NodeRole::Local),
        ("type_parameter_declaration", "name", NodeRole::Skip),
        ("keyed_element", "key", NodeRole::Key),
        ("keyed_element", "value", NodeRole::Read),
        ("literal_element", "", NodeRole::Transparent),
        ("literal_value", "", NodeRole::Read),
        ("package_clause", "*", NodeRole::Skip),
        ("label_name", "*", NodeRole::Skip),
        ("type_elem", "", NodeRole::Transparent),
        ("interface_type", "", NodeRole::Inherit),
        ("field_declaration", "type", NodeRole::Type),
    ],
    scopes: &["function_declaration", "method_declaration", "func_literal"],
    blocks: &[
        "block",
        "if_statement",
        "for_statement",
        "expression_switch_statement",
        "type_switch_statement",
        "expression_case",
        "default_case",
        "type_case",
        "communication_case",
    ],
    late: &["short_var_declaration", "var_spec"],
    literals: &[("composite_literal", "type")],
    wrappers: &[
        "type_declaration",
        "const_declaration",
        "var_declaration",
        "var_spec_list",
    ],
    imports: &["import_spec"],
    define,
    import,
    exported: |head: &DefinitionHead<'_>| head.name.starts_with(char::is_uppercase),
    of_file: outer_package,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Go,
    names_are_imported: true,
    folder_is_scope: true,
    files_are_submodules: true,
    interfaces_are_structural: true,
    heads_are_code: true,
    bare_members: BareMembers::Nowhere,
    members_are_overridden: false,
    main_starts_programs: true,
    heads_have_modifiers: false,
    made_by: &["{"],
    library_names: LIBRARY_NAMES,
    load_functions: &["init"],
    capitals_are_exported: true,
    is_machine_code: true,
    values_are_narrowed: false,
    package_joint: Some('/'),
    ..NameRules::NONE
};

/// What packages of the standard library give methods.
const LIBRARY_NAMES: &str = "\
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

/// `package x_test`, beside `package x` in one folder.
fn outer_package(root: Node<'_>, source: &str) -> Option<Local> {
    let mut cursor = root.walk();
    let mut parts = root.named_children(&mut cursor);
    let clause = parts.find(|part| part.kind() == "package_clause")?;
    let name = source.get(clause.named_child(0)?.byte_range())?;
    let line = clause.start_position().row as u32 + 1;
    name.ends_with("_test").then(|| Local {
        name: OUTER_PACKAGE.to_owned(),
        kind: HintKind::Nothing,
        text: name.to_owned(),
        line,
        column: 0,
        end_line: line,
        enclosing: None,
    })
}

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let kind = match node.kind() {
        "method_declaration" => return method(context, node).into_iter().collect(),
        "type_spec" => {
            let value = node
                .child_by_field_name("type")
                .map_or("", |value| value.kind());
            match value {
                "struct_type" => SymbolKind::Struct,
                "interface_type" => SymbolKind::Interface,
                _ => SymbolKind::TypeAlias,
            }
        }
        "const_spec" => SymbolKind::Constant,
        "var_spec" => SymbolKind::Variable,
        _ => SymbolKind::Field,
    };
    let mut cursor = node.walk();
    node.children_by_field_name("name", &mut cursor)
        .filter(|name| name.is_named() && context.text(*name) != "_")
        .map(|name| Definition::new(kind, node, name))
        .collect()
}

fn method<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let name = node.child_by_field_name("name")?;
    let receiver = context
        .field_text(node, "receiver")
        .trim_matches(['(', ')', ' ']);
    // `(r *Ring[T])`: the type is the last word, without pointer and parameters.
    let receiver = receiver.split('[').next().unwrap_or("");
    let receiver = receiver
        .rsplit([' ', '*'])
        .find(|word| !word.is_empty())
        .unwrap_or("");
    let mut found = Definition::new(SymbolKind::Method, node, name);
    found.prefix = Some(receiver.to_owned());
    Some(found)
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let alias = context.field_text(node, "name");
    let names = if alias.is_empty() {
        Vec::new()
    } else {
        vec![ImportedName {
            name: "*".to_owned(),
            local: alias.to_owned(),
        }]
    };
    vec![Import {
        module: unquote(context.field_text(node, "path")).to_owned(),
        names,
        kind: ImportKind::Import,
        line: node.start_position().row as u32 + 1,
    }]
}
