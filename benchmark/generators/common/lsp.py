"""A small client for language servers that talk over stdin and stdout."""
import json
import pathlib
import subprocess
import threading
import queue
import time
import urllib.parse

TIMEOUT = 300


class Server:
    def __init__(self, command, root, settings, options=None, env=None):
        self.root = pathlib.Path(root)
        self.settings = settings
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, cwd=root, env=env)
        self.answers = queue.Queue()
        self.progress = {}
        self.count = 0
        threading.Thread(target=self._read, daemon=True).start()
        self._initialize(options)

    def _initialize(self, options):
        capabilities = {
            "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
            "workspace": {"configuration": True, "workspaceFolders": True},
            "window": {"workDoneProgress": True},
            "experimental": {"serverStatusNotification": True},
        }
        self.request("initialize", {
            "processId": None, "rootUri": self.root.as_uri(), "capabilities": capabilities,
            "initializationOptions": options or {},
            "workspaceFolders": [{"uri": self.root.as_uri(), "name": "root"}]})
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": self.settings})

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _read(self):
        out = self.process.stdout
        while True:
            length = 0
            while (line := out.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self._handle(json.loads(out.read(length)))

    def _handle(self, message):
        method = message.get("method")
        if method and "id" in message:
            self._send({"id": message["id"], "result": self._reply(method, message.get("params"))})
        elif method == "experimental/serverStatus":
            self.progress["quiescent"] = message["params"].get("quiescent")
        elif "id" in message:
            self.answers.put(message)

    def _reply(self, method, params):
        if method != "workspace/configuration":
            return None
        return [self._setting(item.get("section") or "") for item in params["items"]]

    def _setting(self, section):
        value = self.settings
        for part in filter(None, section.split(".")):
            value = value.get(part, {}) if isinstance(value, dict) else {}
        return value

    def request(self, method, params):
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        while True:
            answer = self.answers.get(timeout=TIMEOUT)
            if answer["id"] == self.count:
                return answer.get("result")

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def wait_quiet(self, seconds=TIMEOUT):
        end = time.time() + seconds
        while not self.progress.get("quiescent"):
            if time.time() > end:
                raise TimeoutError("the language server is still loading")
            time.sleep(0.5)

    def uri(self, file):
        return (self.root / file).as_uri()

    def relative(self, uri):
        path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return None

    def open(self, file, language):
        text = (self.root / file).read_text(encoding="utf-8")
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(file), "languageId": language, "version": 1, "text": text}})

    def at(self, file, line, column):
        return {"textDocument": {"uri": self.uri(file)},
                "position": {"line": line - 1, "character": column}}

    def references(self, file, line, column):
        """Every place (file, line, column) of the symbol inside the root, declarations too."""
        params = {**self.at(file, line, column), "context": {"includeDeclaration": True}}
        found = set()
        for place in self.request("textDocument/references", params) or []:
            start, name = place["range"]["start"], self.relative(place["uri"])
            if name:
                found.add((name, start["line"] + 1, start["character"]))
        return found

    def definitions(self, file, line, column):
        """Places (file, line, column) the token is defined at; files outside the root are absolute."""
        answer = self.request("textDocument/definition", self.at(file, line, column)) or []
        if isinstance(answer, dict):
            answer = [answer]
        out = []
        for place in answer:
            start = (place.get("targetSelectionRange") or place.get("range"))["start"]
            uri = place.get("targetUri") or place.get("uri")
            file = self.relative(uri) or urllib.parse.unquote(urllib.parse.urlparse(uri).path)
            out.append((file, start["line"] + 1, start["character"]))
        return out

    def close(self):
        self.process.kill()
        self.process.wait()
