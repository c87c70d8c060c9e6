import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;

/**
 * Members of one Java source tree: their uses, what overrides what, and what breaks under another name.
 *
 * usage: java Listing.java ROOT FOLDERS(comma list) CLASSPATH > facts.json, then one line `ID FILE OFFSET NAME`
 * a mutant on the input; each gives a line of errors `FILE LINE CODE`.
 */
public class Listing {
    static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    static Path root;
    static String classpath;
    static List<Path> files = new ArrayList<>();
    static Trees trees;
    static Elements elements;
    static final Map<Element, Map<String, Object>> defs = new LinkedHashMap<>();
    static final Set<String> unknown = new TreeSet<>(), strings = new TreeSet<>();
    static final Map<Integer, List<List<Object>>> unnamed = new TreeMap<>();

    static class Text extends SimpleJavaFileObject {
        final String text;

        Text(URI place, String text) {
            super(place, Kind.SOURCE);
            this.text = text;
        }

        @Override public CharSequence getCharContent(boolean lenient) { return text; }
    }

    static JavacTask task(Map<Path, String> changed, DiagnosticCollector<JavaFileObject> problems) throws IOException {
        List<JavaFileObject> units = new ArrayList<>();
        for (Path p : files) units.add(new Text(p.toUri(), changed.containsKey(p) ? changed.get(p) : Files.readString(p)));
        List<String> options = List.of("-proc:none", "-Xmaxerrs", "100000", "-nowarn", "-cp", classpath);
        return (JavacTask) COMPILER.getTask(null, null, problems, options, null, units);
    }

    public static void main(String[] args) throws Exception {
        root = Paths.get(args[0]).toRealPath();
        classpath = args[2];
        for (String folder : args[1].split(",")) {
            try (Stream<Path> walk = Files.walk(root.resolve(folder))) {
                walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).sorted().forEach(files::add);
            }
        }
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavacTask task = task(Map.of(), problems);
        trees = Trees.instance(task);
        elements = task.getElements();
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree u : units) new Declarations(u).scan(u, null);
        for (CompilationUnitTree u : units) new Uses(u).scan(u, null);
        for (Element e : defs.keySet()) relate(e);
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("errors", errors(problems));
        facts.put("unknown", List.copyOf(unknown));
        facts.put("strings", List.copyOf(strings));
        facts.put("unnamed", unnamed.entrySet().stream().map(x -> List.of(x.getKey(), x.getValue())).collect(Collectors.toList()));
        facts.put("defs", List.copyOf(defs.values()));
        System.out.println(json(facts));
        System.out.flush();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(json(mutant(line.split(" "))));
            System.out.flush();
        }
    }

    static List<Object> mutant(String[] order) throws IOException {
        Path path = root.resolve(order[0]);
        String text = Files.readString(path);
        int at = Integer.parseInt(order[1]);
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        task(Map.of(path, text.substring(0, at) + order[2] + text.substring(at)), problems).analyze();
        return errors(problems);
    }

    static List<Object> errors(DiagnosticCollector<JavaFileObject> problems) {
        return problems.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR && d.getSource() != null)
            .map(d -> List.of(rel(d.getSource()), d.getLineNumber(), d.getCode())).collect(Collectors.toList());
    }

    static String rel(JavaFileObject file) { return root.relativize(Paths.get(file.toUri())).toString(); }

    static class Declarations extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Deque<Integer> around = new ArrayDeque<>();

        Declarations(CompilationUnitTree unit) { this.unit = unit; }

        @Override public Void visitClass(ClassTree tree, Void x) {
            String name = tree.getSimpleName().toString();
            if (name.isEmpty()) {
                unnamed(tree);
                return super.visitClass(tree, x);
            }
            String kind = tree.getKind() == Tree.Kind.ANNOTATION_TYPE ? "annotation" : tree.getKind().toString().toLowerCase();
            add(tree, tree.getModifiers(), name, kind);
            super.visitClass(tree, x);
            around.pop();
            return null;
        }

        /** Anonymous classes have no head. */
        void unnamed(ClassTree tree) {
            Element e = trees.getElement(getCurrentPath());
            if (e instanceof TypeElement) laters.add(new Object[] {e, rel(unit.getSourceFile()), line(tree)});
        }

        long line(Tree tree) { return unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree)); }

        @Override public Void visitMethod(MethodTree tree, Void x) {
            String name = tree.getName().toString();
            Element e = trees.getElement(getCurrentPath());
            boolean made = trees.getSourcePositions().getEndPosition(unit, tree) < 0 || e == null;
            if (made || elements.getOrigin(e) != Elements.Origin.EXPLICIT || e.getEnclosingElement().getSimpleName().length() == 0)
                return super.visitMethod(tree, x);
            boolean constructor = name.equals("<init>");
            add(tree, tree.getModifiers(), constructor ? e.getEnclosingElement().getSimpleName().toString() : name, constructor ? "constructor" : "method");
            super.visitMethod(tree, x);
            around.pop();
            return null;
        }

        @Override public Void visitVariable(VariableTree tree, Void x) {
            Element e = trees.getElement(getCurrentPath());
            boolean field = e != null && (e.getKind() == ElementKind.FIELD || e.getKind() == ElementKind.ENUM_CONSTANT)
                && e.getEnclosingElement().getSimpleName().length() > 0;
            if (!field) return super.visitVariable(tree, x);
            boolean fixed = e.getModifiers().contains(Modifier.STATIC);
            add(tree, tree.getModifiers(), tree.getName().toString(), e.getKind() == ElementKind.ENUM_CONSTANT ? "variant" : fixed ? "constant" : "field");
            super.visitVariable(tree, x);
            around.pop();
            return null;
        }

        void add(Tree tree, Tree modifiers, String name, String kind) {
            Element e = trees.getElement(getCurrentPath());
            SourcePositions at = trees.getSourcePositions();
            long from = Math.max(at.getStartPosition(unit, tree), at.getEndPosition(unit, modifiers));
            Tree type = tree instanceof MethodTree ? ((MethodTree) tree).getReturnType() : kind.equals("variant") || !(tree instanceof VariableTree) ? null : ((VariableTree) tree).getType();
            if (type != null) from = Math.max(from, at.getEndPosition(unit, type));
            java.util.regex.Matcher m;
            try {
                m = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b")
                    .matcher(unit.getSourceFile().getCharContent(true));
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
            long offset = m.find((int) from) ? m.start() : from;
            Map<String, Object> d = new LinkedHashMap<>();
            Element owner = e.getEnclosingElement();
            boolean member = owner instanceof TypeElement;
            d.put("id", defs.size());
            d.put("name", name);
            d.put("qual", member && !kind.equals("constructor") ? owner.getSimpleName() + "." + name : name);
            d.put("kind", kind);
            d.put("file", rel(unit.getSourceFile()));
            d.put("line", unit.getLineMap().getLineNumber(offset));
            d.put("end", unit.getLineMap().getLineNumber(at.getEndPosition(unit, tree)));
            d.put("offset", offset);
            d.put("static", e.getModifiers().contains(Modifier.STATIC));
            d.put("abstract", e.getModifiers().contains(Modifier.ABSTRACT));
            d.put("inside", around.isEmpty() ? -1 : around.peek());
            d.put("public", e.getModifiers().contains(Modifier.PUBLIC) || e.getModifiers().contains(Modifier.PROTECTED));
            d.put("marked", !e.getAnnotationMirrors().isEmpty());
            d.put("root", e.getAnnotationMirrors().stream().anyMatch(a -> !a.getAnnotationType().toString().startsWith("java.lang.")));
            d.put("above", new ArrayList<Object>());
            d.put("foreign", false);
            d.put("supers", new ArrayList<Object>());
            d.put("uses", new ArrayList<Object>());
            around.push(defs.size());
            defs.put(e, d);
        }
    }

    static final List<Object[]> laters = new ArrayList<>();

    static List<TypeElement> supers(TypeElement type) {
        List<TypeMirror> above = new ArrayList<>(type.getInterfaces());
        above.add(type.getSuperclass());
        return above.stream().filter(t -> t instanceof DeclaredType).map(t -> (TypeElement) ((DeclaredType) t).asElement()).collect(Collectors.toList());
    }

    static void everyAbove(TypeElement type, Set<TypeElement> into) {
        for (TypeElement t : supers(type)) if (into.add(t)) everyAbove(t, into);
    }

    @SuppressWarnings("unchecked")
    static void relate(Element e) {
        Map<String, Object> d = defs.get(e);
        if (e instanceof TypeElement) {
            for (TypeElement t : supers((TypeElement) e)) if (defs.containsKey(t)) ((List<Object>) d.get("supers")).add(defs.get(t).get("id"));
            if (!laters.isEmpty()) {
                for (Object[] l : laters) for (TypeElement t : supers((TypeElement) l[0])) if (defs.containsKey(t))
                    unnamed.computeIfAbsent((Integer) defs.get(t).get("id"), k -> new ArrayList<>()).add(List.of(l[1], l[2]));
                laters.clear();
            }
            return;
        }
        if (e.getKind() != ElementKind.METHOD) return;
        TypeElement type = (TypeElement) e.getEnclosingElement();
        Set<TypeElement> above = new LinkedHashSet<>();
        everyAbove(type, above);
        above.add(elements.getTypeElement("java.lang.Object"));
        for (TypeElement t : above) for (ExecutableElement m : ElementFilter.methodsIn(t.getEnclosedElements())) {
            if (!m.getSimpleName().equals(e.getSimpleName()) || m == e || !elements.overrides((ExecutableElement) e, m, type)) continue;
            if (defs.containsKey(m)) ((List<Object>) d.get("above")).add(defs.get(m).get("id"));
            else d.put("foreign", true);
        }
    }

    static class Uses extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        boolean inImport;

        Uses(CompilationUnitTree unit) { this.unit = unit; }

        @Override public Void visitImport(ImportTree tree, Void x) {
            inImport = true;
            super.visitImport(tree, x);
            inImport = false;
            return null;
        }

        @Override public Void visitLiteral(LiteralTree tree, Void x) {
            if (tree.getValue() instanceof String) strings.add((String) tree.getValue());
            return null;
        }

        @Override public Void visitIdentifier(IdentifierTree tree, Void x) {
            String name = tree.getName().toString();
            if (!name.equals("this") && !name.equals("super")) use(tree, name, trees.getSourcePositions().getStartPosition(unit, tree));
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

        /** The class of a constructor that is called stands as a name of its own; the constructor is noted besides. */
        @Override public Void visitNewClass(NewClassTree tree, Void x) {
            Element e = trees.getElement(getCurrentPath());
            if (e != null && defs.containsKey(e)) note(e, trees.getSourcePositions().getStartPosition(unit, tree));
            return super.visitNewClass(tree, x);
        }

        void use(Tree tree, String name, long offset) {
            if (offset < 0 || trees.getSourcePositions().getEndPosition(unit, tree) < 0) return;
            Element e = trees.getElement(getCurrentPath());
            if (e == null || e.asType().getKind() == TypeKind.ERROR) {
                if (!inImport) unknown.add(name);
            } else if (defs.containsKey(e)) note(e, offset);
        }

        @SuppressWarnings("unchecked")
        void note(Element e, long offset) {
            boolean lost = false;
            int around = -1;
            for (TreePath p = getCurrentPath(); p != null && around < 0; p = p.getParentPath()) {
                if (p.getLeaf() instanceof ClassTree && ((ClassTree) p.getLeaf()).getSimpleName().length() == 0) lost = true;
                Element f = trees.getElement(p);
                boolean holder = p.getLeaf() instanceof ClassTree || p.getLeaf() instanceof MethodTree || p.getLeaf() instanceof VariableTree;
                if (holder && f != null && defs.containsKey(f)) around = (Integer) defs.get(f).get("id");
            }
            String role = inImport ? "import" : lost ? "unnamed" : "use";
            ((List<Object>) defs.get(e).get("uses")).add(List.of(rel(unit.getSourceFile()), unit.getLineMap().getLineNumber(offset), around, role));
        }
    }

    static String json(Object o) {
        if (o instanceof Map) return ((Map<?, ?>) o).entrySet().stream().map(e -> json(e.getKey()) + ":" + json(e.getValue())).collect(Collectors.joining(",", "{", "}"));
        if (o instanceof List) return ((List<?>) o).stream().map(Listing::json).collect(Collectors.joining(",", "[", "]"));
        if (!(o instanceof String)) return String.valueOf(o);
        StringBuilder s = new StringBuilder("\"");
        for (char c : ((String) o).toCharArray()) s.append(c == '"' || c == '\\' ? "\\" + c : c < 32 ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        return s.append('"').toString();
    }
}
