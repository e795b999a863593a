import type {
  sendUnaryData,
  ServerUnaryCall,
  ServiceError,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import plugin from "@pulumi/pulumi/proto/plugin_pb";
import provider from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { HookContext } from "../hooks/context.js";
import { importControlPlane } from "../hooks/created/import.js";
import type { ProviderProcess } from "../run/provider-process.js";
import { RESOURCE_HOOKS, type ResourceHooks } from "../run/resource-hooks.js";
import { createRun, type Run } from "../run/run.js";
import type { Properties } from "../state/recorded-fields.js";
import { ownTypeOf, type OwnType, PROVIDER_TEXTS } from "../state/resource-types.js";
import { settingsError } from "../service/failure/control-plane-error.js";
import { safe, safeText } from "../text/safe-text.js";
import { VERSION } from "../version.js";
import { checkConfiguration, configurationOf, isDefaultProvider, PACKAGE } from "./configuration.js";
import { changedPaths } from "./detailed-diff.js";
import type { EngineLog } from "./engine-log.js";
import { partialFailure, toServiceError } from "./failure.js";
import { invoke } from "./functions.js";
import { checkResponse, diffResponse } from "./responses.js";
import { fromStruct, secret, toStruct } from "./wire.js";

/** What the plugin's process gives to its calls. */
export interface PluginProcess extends ProviderProcess {
  /** Address of Pulumi's engine. */
  readonly engine: string | undefined;
  readonly log: EngineLog;
  /** The schema of the package, as JSON. */
  readonly schema: string;
}

/** A request about a resource. */
interface ResourceRequest {
  getUrn(): string;
}

/**
 * Creates the service that Pulumi's engine calls: the entry point of the hooks for every Pulumi language. Each provider of a
 * program is a process of its own, so all calls of a process are of one run. Source: Pulumi, proto/pulumi/provider.proto.
 */
export function createProviderService({
  engine,
  log,
  stopping,
  whileWorking,
  schema,
  stop,
}: PluginProcess): UntypedServiceImplementation {
  let configuration: { readonly inputs: Properties; readonly name: string | undefined } | undefined;
  let started: Promise<Run> | undefined;
  const startRun = () =>
    (started ??= createRun({
      config: configurationOf(configuration?.inputs ?? {}, configuration?.name, process.env),
      namespace: PACKAGE,
      origin: isDefaultProvider(configuration?.name) ? "today" : "provider",
      stopping,
      engine,
      print: log.print,
    }));

  /** Answers a call. Its lines reach the engine before its answer. */
  const answer =
    <Request, Response>(work: (request: Request) => Response | Promise<Response>) =>
    ({ request }: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
      const flushed = async () => {
        try {
          return await work(request);
        } finally {
          await log.flush();
        }
      };
      whileWorking(flushed).then(
        (response) => callback(null, response),
        (error: unknown) => callback(error instanceof Refused ? error.failure : toServiceError(error)),
      );
    };

  /** Runs a hook of a resource's type. @param timeoutSeconds of `customTimeouts`; 0 when there is none */
  const withHooks = async <T>(
    request: ResourceRequest,
    work: (hooks: ResourceHooks, context: HookContext, type: OwnType) => T | Promise<T>,
    timeoutSeconds = 0,
  ): Promise<T> => {
    const urn = request.getUrn();
    const type = requireType(urn);
    const { runHook } = await startRun();
    const budgetMs = timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined;
    return runHook(urn, (context) => work(RESOURCE_HOOKS[type], context, type), budgetMs);
  };

  return {
    getPluginInfo: answer(() => new plugin.PluginInfo().setVersion(VERSION)),
    getSchema: answer(() => new provider.GetSchemaResponse().setSchema(schema)),
    cancel: answer(() => {
      stop();
      return new Empty();
    }),

    checkConfig: answer((request: provider.CheckRequest) => {
      const inputs = fromStruct(request.getNews());
      const { token } = inputs;
      // If a program passes the token in clear, the state encrypts it all the same.
      const kept = token === undefined ? inputs : { ...inputs, token: secret(token) };
      return checkResponse(kept, checkConfiguration(inputs, process.env));
    }),
    // A provider is never replaced, because that would replace all its resources.
    diffConfig: answer((request: provider.DiffRequest) =>
      diffResponse({
        changes: changedPaths(fromStruct(request.getOlds()), fromStruct(request.getNews())).size > 0,
      }),
    ),
    // An unusable setting is reported where it is used. The engine would end the run without naming a resource.
    configure: answer((request: provider.ConfigureRequest) => {
      configuration = { inputs: fromStruct(request.getArgs()), name: request.getName() };
      return new provider.ConfigureResponse();
    }),

    check: answer((request: provider.CheckRequest) =>
      withHooks(request, (hooks, context) => {
        const { inputs, failures } = hooks.check(context, fromStruct(request.getNews()));
        return checkResponse(inputs, failures);
      }),
    ),
    diff: answer((request: provider.DiffRequest) =>
      withHooks(request, async (hooks, context) => {
        const [before, now] = [fromStruct(request.getOldInputs()), fromStruct(request.getNews())];
        const result = await hooks.diff(context, request.getId(), fromStruct(request.getOlds()), now);
        return diffResponse(result, changedPaths(before, now));
      }),
    ),
    create: answer((request: provider.CreateRequest) =>
      withHooks(
        request,
        async (hooks, context, type) => {
          const { id, outs, unfinished } = await hooks.create(context, fromStruct(request.getProperties()));
          const properties = withProvider(type, outs);
          if (unfinished !== undefined) throw new Refused(partialFailure(unfinished, id, properties));
          return new provider.CreateResponse().setId(id).setProperties(toStruct(properties));
        },
        request.getTimeout(),
      ),
    ),
    read: answer((request: provider.ReadRequest) =>
      withHooks(request, async (hooks, context, type) => {
        const id = request.getId();
        // An import has no properties yet.
        const isImport = !request.hasProperties() && !request.hasInputs();
        if (isImport && type === "ControlPlaneSet") throw setsAreNotImported();
        const recorded = fromStruct(request.getProperties());
        const found = isImport
          ? await importControlPlane(context, id)
          : await hooks.read(context, id, isRecorded(recorded) ? recorded : referenceTo(id, recorded));
        const response = new provider.ReadResponse().setId(found.id);
        if (!("props" in found)) return response;
        const inputs = found.inputs === undefined ? request.getInputs() : toStruct(found.inputs);
        return response.setProperties(toStruct(withProvider(type, found.props))).setInputs(inputs);
      }),
    ),
    update: answer((request: provider.UpdateRequest) =>
      withHooks(
        request,
        async (hooks, context, type) => {
          const id = request.getId();
          const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
          const { outs, unfinished } = await hooks.update(context, id, olds, news);
          const properties = withProvider(type, outs);
          if (unfinished !== undefined) throw new Refused(partialFailure(unfinished, id, properties));
          return new provider.UpdateResponse().setProperties(toStruct(properties));
        },
        request.getTimeout(),
      ),
    ),
    delete: answer((request: provider.DeleteRequest) =>
      withHooks(
        request,
        async (hooks, context) => {
          await hooks.delete(context, request.getId(), fromStruct(request.getProperties()));
          return new Empty();
        },
        request.getTimeout(),
      ),
    ),
    invoke: answer(async (request: provider.InvokeRequest) => {
      const { session } = await startRun();
      const isPreview = request.getPreview();
      const found = await invoke(request.getTok(), fromStruct(request.getArgs()), { session, isPreview });
      return new provider.InvokeResponse().setReturn(toStruct(found));
    }),
  };
}

/** A failure that is sent as it is. */
class Refused extends Error {
  constructor(readonly failure: Partial<ServiceError>) {
    super(failure.details);
  }
}

/** The way back to the dynamic front needs the text that loads its hooks. */
function withProvider(type: OwnType, outputs: Properties): Properties {
  return { ...outputs, __provider: PROVIDER_TEXTS[type] };
}

/** Whether properties are a state. Those of a reference come from the program. */
function isRecorded({ __provider: text }: Properties): boolean {
  return text !== undefined;
}

/** Returns the arguments of a reference. The properties that a program gives besides its place do not matter. */
function referenceTo(id: string, { region, baseUrl }: Properties): Properties {
  return { controlPlaneId: id, region, baseUrl };
}

/** Returns the resource type in a URN: `urn:pulumi:<stack>::<project>::<type of the parent>$<type>::<name>`. */
function requireType(urn: string): OwnType {
  const [, , types = ""] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  const own = ownTypeOf(type);
  if (own === undefined) throw settingsError(safe`There is no resource type ${safeText(type, 200)}`);
  return own;
}

function setsAreNotImported(): Error {
  return settingsError(
    safe`A ControlPlaneSet cannot be imported: declare it with the ids in controlPlaneIds, and pulumi up adopts them`,
  );
}
