/** Promise of a vendor's client, which also returns the raw response. */
type VendorPromise = Promise<unknown> & {
  readonly _thenUnwrap?: (change: (value: unknown) => unknown) => VendorPromise;
};

/** Changes the value of a promise without losing the additional methods of a vendor's promise. */
export const changed = (promise: VendorPromise, change: (value: unknown) => unknown): VendorPromise =>
  promise._thenUnwrap?.(change) ?? promise.then(change);

/** Method of a vendor's client that creates a response. */
export type Create = (this: unknown, body: Record<string, unknown>, ...rest: unknown[]) => VendorPromise;

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
