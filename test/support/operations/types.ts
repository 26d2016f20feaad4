import type { Shop } from '../factories.ts';

export type Request = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

/** Creates the required objects, and returns a request that the API accepts. */
export type MakeRequest = (shop: Shop) => Promise<Request>;

/** Reason why a documented error can't occur. */
type Unreachable = { readonly because: string };

/** Creates the required objects, and returns variables that the operation accepts. */
export type MakeVariables = (shop: Shop) => Promise<Record<string, unknown>>;

/** Root field without a REST route, with the reason and an operation that the API accepts. */
type Unrouted = { readonly because: string; readonly text: string; readonly variables: MakeVariables };

/** Sample calls for a module's operations. */
export type ModuleOperations = {
  /** Accepted request for each REST operation, by method and path. */
  readonly requests?: Readonly<Record<string, MakeRequest>>;
  /** How to cause each documented error of a REST operation, by operation and code. Excludes errors that all operations share. */
  readonly provocations?: Readonly<Record<string, Readonly<Record<string, MakeRequest | Unreachable>>>>;
  /** Root fields without a REST route, by name. */
  readonly unrouted?: Readonly<Record<string, Unrouted>>;
};
