import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Facts of one Java source tree, by javac's own attribution.
 *
 * usage: java Facts.java ROOT SOURCE_FOLDERS(comma list) CLASSPATH > facts.json
 */
public class Facts {
    static Path root;
    static Trees trees;
    static final Map<Element, Def> byElement = new HashMap<>();
    static final List<Def> defs = new ArrayList<>();
    static final Map<String, Integer> words = new TreeMap<>();
    static final Set<String> unknown = new TreeSet<>();
    static final Set<String> strings = new HashSet<>();
    static final Map<String, Set<String>> needed = new TreeMap<>();
    static final Map<String, Set<String>> optional = new TreeMap<>();
    static final Map<Element, String> fileOfType = new HashMap<>();

    static class Def {
        String name, qual, kind, file;
        long line, end;
        boolean exported, member, convention, override;
        int count;
        final List<String> refs = new ArrayList<>();
    }

    public static void main(String[] args) throws Exception {
        root = Paths.get(args[0]).toRealPath();
        List<File> files = new ArrayList<>();
        for (String folder : args[1].split(",")) {
            try (Stream<Path> walk = Files.walk(root.resolve(folder))) {
                walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java"))
                    .sorted().forEach(p -> files.add(p.toFile()));
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-Xmaxerrs", "100000", "-cp", args.length > 2 ? args[2] : "");
        JavacTask task = (JavacTask) compiler.getTask(null, manager, problems, options, null,
            manager.getJavaFileObjectsFromFiles(files));
        trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree u : units) new Declarations(u).scan(u, null);
        for (CompilationUnitTree u : units) new Uses(u).scan(u, null);
        long errors = problems.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR).count();
        System.err.println("errors: " + errors);
        print(units);
    }

    static String rel(CompilationUnitTree unit) {
        return root.relativize(Paths.get(unit.getSourceFile().toUri())).toString();
    }

    static long lineAt(CompilationUnitTree unit, long offset) {
        return unit.getLineMap().getLineNumber(offset);
    }

    /** The tree of a declaration starts at its modifiers: the name is the first such word after them. */
    static long nameOffset(CompilationUnitTree unit, Tree tree, Tree modifiers, String name) throws IOException {
        CharSequence text = unit.getSourceFile().getCharContent(true);
        SourcePositions at = trees.getSourcePositions();
        long from = Math.max(at.getStartPosition(unit, tree), at.getEndPosition(unit, modifiers));
        java.util.regex.Matcher m = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
        return m.find((int) from) ? m.start() : from;
    }

    static class Declarations extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Deque<String> owners = new ArrayDeque<>();

        Declarations(CompilationUnitTree unit) { this.unit = unit; }

        @Override public Void visitClass(ClassTree tree, Void x) {
            Element e = trees.getElement(getCurrentPath());
            String name = tree.getSimpleName().toString();
            if (!name.isEmpty()) {
                add(tree, tree.getModifiers(), e, name, kindOf(tree));
                fileOfType.put(e, rel(unit));
            }
            owners.push(name);
            super.visitClass(tree, x);
            owners.pop();
            return null;
        }

        @Override public Void visitMethod(MethodTree tree, Void x) {
            String name = tree.getName().toString();
            if (!name.equals("<init>") && !owners.peek().isEmpty())
                add(tree, tree.getModifiers(), trees.getElement(getCurrentPath()), name, "method");
            return super.visitMethod(tree, x);
        }

        @Override public Void visitVariable(VariableTree tree, Void x) {
            Element e = trees.getElement(getCurrentPath());
            if (e != null && (e.getKind() == ElementKind.FIELD || e.getKind() == ElementKind.ENUM_CONSTANT) && !owners.peek().isEmpty()) {
                boolean constant = e.getModifiers().containsAll(Set.of(Modifier.STATIC, Modifier.FINAL));
                add(tree, tree.getModifiers(), e, tree.getName().toString(), constant ? "constant" : "field");
            }
            return super.visitVariable(tree, x);
        }

        String kindOf(ClassTree tree) {
            switch (tree.getKind()) {
                case INTERFACE: return "interface";
                case ENUM: return "enum";
                case ANNOTATION_TYPE: return "annotation";
                default: return "class";
            }
        }

        void add(Tree tree, Tree modifiers, Element e, String name, String kind) {
            if (e == null) return;
            Def d = new Def();
            d.name = name;
            d.kind = kind;
            String owner = owners.peek();
            d.qual = owner == null || owner.isEmpty() ? name : owner + "." + name;
            d.file = rel(unit);
            d.member = !kind.equals("class") && !kind.equals("interface") && !kind.equals("enum");
            try {
                d.line = lineAt(unit, nameOffset(unit, tree, modifiers, name));
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
            d.end = lineAt(unit, trees.getSourcePositions().getEndPosition(unit, tree));
            d.exported = e.getModifiers().contains(Modifier.PUBLIC) || e.getModifiers().contains(Modifier.PROTECTED);
            d.override = overrides(e);
            d.convention = d.override || convention(e);
            defs.add(d);
            byElement.put(e, d);
            ref(d, unit, d.line, "decl");
        }
    }

    static void ref(Def d, CompilationUnitTree unit, long line, String role) {
        d.refs.add("[" + quote(rel(unit)) + "," + line + "," + quote(role) + "]");
        d.count++;
    }

    /** Entry points, abstract methods, enum constants (read by `values`), anything annotated. */
    static boolean convention(Element e) {
        return !e.getAnnotationMirrors().isEmpty() || e.getSimpleName().contentEquals("main")
            || e.getModifiers().contains(Modifier.ABSTRACT) || e.getKind() == ElementKind.ENUM_CONSTANT;
    }

    static boolean overrides(Element e) {
        return e.getKind() == ElementKind.METHOD
            && inherited((TypeElement) e.getEnclosingElement(), (ExecutableElement) e, new HashSet<>());
    }

    static boolean inherited(TypeElement type, ExecutableElement method, Set<Element> seen) {
        List<javax.lang.model.type.TypeMirror> above = new ArrayList<>(type.getInterfaces());
        above.add(type.getSuperclass());
        for (javax.lang.model.type.TypeMirror t : above) {
            if (!(t instanceof javax.lang.model.type.DeclaredType)) continue;
            TypeElement up = (TypeElement) ((javax.lang.model.type.DeclaredType) t).asElement();
            if (!seen.add(up)) continue;
            for (Element m : up.getEnclosedElements())
                if (m.getKind() == ElementKind.METHOD && m.getSimpleName().equals(method.getSimpleName())) return true;
            if (inherited(up, method, seen)) return true;
        }
        return false;
    }

    static class Uses extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Set<Tree> callees = new HashSet<>();
        boolean inImport;

        Uses(CompilationUnitTree unit) { this.unit = unit; }

        @Override public Void visitImport(ImportTree tree, Void x) {
            inImport = true;
            super.visitImport(tree, x);
            inImport = false;
            return null;
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree tree, Void x) {
            callees.add(tree.getMethodSelect());
            return super.visitMethodInvocation(tree, x);
        }

        @Override public Void visitNewClass(NewClassTree tree, Void x) {
            callees.add(tree.getIdentifier());
            return super.visitNewClass(tree, x);
        }

        @Override public Void visitLiteral(LiteralTree tree, Void x) {
            if (tree.getValue() instanceof String) strings.add((String) tree.getValue());
            return null;
        }

        @Override public Void visitIdentifier(IdentifierTree tree, Void x) {
            String name = tree.getName().toString();
            // `this` and `super` stand for a class without naming it.
            if (!name.equals("this") && !name.equals("super"))
                use(tree, name, trees.getSourcePositions().getStartPosition(unit, tree));
            return super.visitIdentifier(tree, x);
        }

        @Override public Void visitMemberSelect(MemberSelectTree tree, Void x) {
            String name = tree.getIdentifier().toString();
            use(tree, name, trees.getSourcePositions().getEndPosition(unit, tree) - name.length());
            return super.visitMemberSelect(tree, x);
        }

        @Override public Void visitMemberReference(MemberReferenceTree tree, Void x) {
            String name = tree.getName().toString();
            use(tree, name, trees.getSourcePositions().getEndPosition(unit, tree) - name.length());
            return super.visitMemberReference(tree, x);
        }

        void use(Tree tree, String name, long offset) {
            // A compiler-made tree (default constructor, enum) has no place in the file.
            if (offset < 0 || trees.getSourcePositions().getEndPosition(unit, tree) < 0) return;
            words.merge(name, 1, Integer::sum);
            Element e = trees.getElement(getCurrentPath());
            if (e == null || e.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) {
                if (!inImport) unknown.add(name);
                return;
            }
            if (e.getKind() == ElementKind.CONSTRUCTOR) e = e.getEnclosingElement();
            Def d = byElement.get(e);
            if (d == null) return;
            String role = inImport ? "import" : callees.contains(tree) ? "call" : "use";
            ref(d, unit, lineAt(unit, offset), role);
            dependency(d.file);
        }

        void dependency(String file) {
            if (file.equals(rel(unit))) return;
            (inImport ? needed : optional).computeIfAbsent(rel(unit), k -> new TreeSet<>()).add(file);
        }
    }

    static String quote(String s) {
        return "\"" + s.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    static String list(Collection<String> items) {
        return items.stream().map(Facts::quote).collect(Collectors.joining(",", "[", "]"));
    }

    static String json(Def d) {
        int same = words.getOrDefault(d.name, 0) - (d.count - 1);
        return "{\"name\":" + quote(d.name) + ",\"qual\":" + quote(d.qual) + ",\"kind\":" + quote(d.kind)
            + ",\"file\":" + quote(d.file) + ",\"line\":" + d.line + ",\"end_line\":" + d.end
            + ",\"exported\":" + d.exported + ",\"member\":" + d.member + ",\"nested\":false"
            + ",\"convention\":" + d.convention + ",\"in_string\":" + strings.contains(d.name)
            + ",\"doubt\":" + (unknown.contains(d.name) ? "\"unresolved\"" : d.override ? "\"override\"" : "null")
            + ",\"same_word\":" + same + ",\"also\":[],\"refs\":[" + String.join(",", d.refs) + "]}";
    }

    static String deps(Map<String, Set<String>> map, Map<String, Set<String>> without) {
        return map.entrySet().stream().map(e -> {
            Set<String> rest = new TreeSet<>(e.getValue());
            rest.removeAll(without.getOrDefault(e.getKey(), Set.of()));
            return quote(e.getKey()) + ":" + list(rest);
        }).collect(Collectors.joining(",", "{", "}"));
    }

    static void print(List<CompilationUnitTree> units) {
        List<String> files = units.stream().map(Facts::rel).collect(Collectors.toList());
        System.out.println("{\"oracle\":" + quote("javac " + Runtime.version().feature() + " tree API") + ",\"files\":" + list(files)
            + ",\"deps\":" + deps(needed, Map.of()) + ",\"optional_deps\":" + deps(optional, needed)
            + ",\"defs\":[" + defs.stream().map(Facts::json).collect(Collectors.joining(",\n")) + "]}");
    }
}
