import { Entitlements, type EntitlementsOptions } from './entitlements.ts';
import { type EventsOptions, type EventType, followEvents, type LiveEvent } from './events.ts';
import { operations } from './generated/operations.ts';
import type { Operations } from './generated/types.ts';
import { type CallOptions, type ClientOptions, type RequestInput, Transport } from './http.ts';
import { type Page, PageRequest } from './pages.ts';
import { UsageQueue, type UsageQueueOptions } from './usage-queue.ts';

type Method = (...parameters: unknown[]) => unknown;

/** Returns a parameter as a segment of the path. Throws if the segment would change the route, such as an empty ID. */
function segmentOf(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (!['', '.', '..'].includes(text)) return encodeURIComponent(text);
  throw new TypeError(`The parameter ${name} can't be ${JSON.stringify(text)}.`);
}

/** Returns the method of an operation, which accepts the path parameters, then the input, then the options. */
function methodOf(transport: Transport, [verb = '', path = '', flags = '']: readonly string[]): Method {
  const names = path.match(/\{\w+\}/g) ?? [];
  return (...parameters) => {
    const pathOf = (): string =>
      names.reduce(
        (text, name, index) => text.replace(name, () => segmentOf(name, parameters[index])),
        `/api/v1${path}`,
      );
    const rest = parameters.slice(names.length);
    const input = flags.includes('i') ? (rest.shift() as Record<string, unknown> | undefined) : undefined;
    const options = rest[0] as CallOptions | undefined;
    const hasBody = verb !== 'GET' && verb !== 'DELETE';
    const send = async (query?: Record<string, unknown>): Promise<never> =>
      transport.send(verb, pathOf(), { ...options, ...(hasBody ? { body: input ?? {} } : { query }) });
    return flags.includes('p')
      ? new PageRequest(
          (cursor) => send(cursor === undefined ? input : { ...input, cursor }) as Promise<Page<unknown>>,
        )
      : send(input);
  };
}

/** Client without the generated operations. */
class Client {
  readonly #transport: Transport;
  readonly #queue: UsageQueue;

  constructor(options: ClientOptions & UsageQueueOptions) {
    this.#transport = new Transport(options);
    const namespaces: Record<string, Record<string, Method>> = {};
    for (const line of operations.split('\n')) {
      const [name = '', ...operation] = line.split(' ');
      const [namespace = '', method = ''] = name.split('.');
      namespaces[namespace] ??= {};
      namespaces[namespace][method] = methodOf(this.#transport, operation);
    }
    Object.assign(this, namespaces);
    this.#queue = new UsageQueue(this as unknown as Quittance, options);
  }

  /** Sends a request below `/api/v1`, for routes without a method. */
  request<Result>(method: string, path: string, input?: RequestInput): Promise<Result> {
    return this.#transport.send(method, `/api/v1${path}`, input);
  }

  /** Executes a GraphQL query or mutation. Throws the first error of the response. */
  async graphql<Data>(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<Data> {
    const input = { ...options, body: { query, variables }, isGraphql: true };
    const { data } = await this.#transport.send<{ readonly data: Data }>('POST', '/graphql', input);
    return data;
  }

  /** Returns the events of the environment as they're committed, in order and without gaps. Continues after a disconnect. */
  events<Type extends EventType>(
    options: EventsOptions<Type> = {},
  ): AsyncGenerator<Extract<LiveEvent, { readonly event: Type }>, void> {
    return followEvents(this.#transport, options) as AsyncGenerator<
      Extract<LiveEvent, { readonly event: Type }>,
      void
    >;
  }

  /** Returns a cache of a customer's feature access, which is updated live. Close the cache when the customer leaves. */
  entitlements(customerId: string, options: EntitlementsOptions = {}): Entitlements {
    return new Entitlements(this.#transport, customerId, options);
  }

  /** Queue of the usage events that wrappers record. */
  get usageQueue(): UsageQueue {
    return this.#queue;
  }

  /** Sends the usage events that are waiting. Resolves after each event was sent or dropped once. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }
}

/** Client of the API, with a namespace for each resource. */
export type Quittance = Client & Operations;

export const Quittance = Client as unknown as new (options: ClientOptions & UsageQueueOptions) => Quittance;
