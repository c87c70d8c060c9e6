// A toy whose handler is called in a span of another, exported as OTLP in JSON.
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { context, trace } from "@opentelemetry/api";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("shop");

function span(name, code, parent) {
  const [file, line, fn] = code ?? [];
  const attributes = code ? { "code.function.name": fn, "code.file.path": file, "code.line.number": line } : {};
  return tracer.startSpan(name, { attributes }, parent ? trace.setSpan(context.active(), parent) : context.active());
}

const dispatch = span("POST /sell", ["/tmp/shop/shop.js", 8, "Till.dispatch"]);
const query = span("INSERT sale", null, dispatch);
const sell = span("sell", ["/tmp/shop/shop.js", 12, "Till.sell"], dispatch);
for (const one of [sell, query, dispatch]) one.end();
process.stdout.write(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans()));
process.stdout.write("\n");
