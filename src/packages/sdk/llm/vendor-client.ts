import type { MeteredCall } from './metered-call.ts';

/** Promise of a vendor's client, which also returns the raw response. */
type VendorPromise = Promise<unknown> & {
  readonly _thenUnwrap?: (change: (value: unknown) => unknown) => VendorPromise;
  readonly asResponse?: () => Promise<unknown>;
  readonly withResponse?: () => Promise<unknown>;
};

/** Changes the value of a promise without losing the additional methods of a vendor's promise. */
const changed = (promise: VendorPromise, change: (value: unknown) => unknown): VendorPromise =>
  promise._thenUnwrap?.(change) ?? promise.then(change);

/** Method of a vendor's client that creates a response. */
export type Create = (this: unknown, body: Record<string, unknown>, ...rest: unknown[]) => VendorPromise;

/** Returns the signal in the options of a call. */
export const signalIn = ([options]: readonly unknown[]): AbortSignal | null | undefined =>
  (options as { readonly signal?: AbortSignal | null } | undefined)?.signal;

/** Replaces a method of a resource on one client. Does nothing if the client doesn't have the resource. */
export function replaceMethod(
  resource: object | undefined,
  name: string,
  make: (original: Create) => Create,
): void {
  if (resource === undefined) return;
  const original = Reflect.get(resource, name) as Create;
  Object.defineProperty(resource, name, { value: make(original.bind(resource)) });
}

/** Returns a separate client with the same settings, so that the caller's client isn't metered. */
export function copyOf<Client extends object>(client: Client): Client {
  const { withOptions } = client as { withOptions?: (options: object) => Client };
  if (withOptions === undefined) throw new TypeError('The client has no method withOptions.');
  return withOptions.call(client, {});
}

/**
 * Returns a vendor's promise for a call that begins later. Like the vendor's promise, it parses the response only if the parsed response is
 * requested. `onRaw` is called if the raw response is requested alone.
 */
function begunLater(begin: Promise<readonly [VendorPromise]>, onRaw: () => void): VendorPromise {
  let value: Promise<unknown> | null = null;
  const parsed = (): Promise<unknown> => {
    value ??= begin.then(([promise]) => promise);
    return value;
  };
  const later = {
    // biome-ignore lint/suspicious/noThenProperty: The object is a promise.
    then: (...callbacks: Parameters<Promise<unknown>['then']>) => parsed().then(...callbacks),
    catch: (onRejected: Parameters<Promise<unknown>['catch']>[0]) => parsed().catch(onRejected),
    finally: (onFinally: Parameters<Promise<unknown>['finally']>[0]) => parsed().finally(onFinally),
    [Symbol.toStringTag]: 'Promise',
    asResponse: async () => {
      const [promise] = await begin;
      onRaw();
      return promise.asResponse?.();
    },
    withResponse: async () => (await begin)[0].withResponse?.(),
    _thenUnwrap: (change: (result: unknown) => unknown) =>
      begunLater(
        begin.then(([promise]) => [changed(promise, change)] as const),
        onRaw,
      ),
  };
  return later as unknown as VendorPromise;
}

/** Call whose usage is reserved before it begins. */
type Held = Pick<MeteredCall, 'isHeld' | 'open' | 'settle'>;

/**
 * Opens the hold of a call, and then begins the call with the new output limit, if the hold reduced it. `change` receives the result. If the
 * call fails, its hold is released.
 */
export function callHeld(
  call: Held,
  limit: unknown,
  signal: AbortSignal | null | undefined,
  begin: (limit: number | null) => VendorPromise,
  change: (result: unknown) => unknown,
): VendorPromise {
  if (!call.isHeld) return changed(begin(null), change);
  const started = call.open(limit, signal).then((granted) => {
    try {
      const promise = begin(granted);
      // A failed request leads to no result. The raw response is requested because a response can be parsed only once.
      promise.asResponse?.().catch(() => call.settle());
      return [changed(promise, change)] as const;
    } catch (error) {
      call.settle();
      throw error;
    }
  });
  started.catch(() => undefined);
  return begunLater(started, () => call.settle());
}
