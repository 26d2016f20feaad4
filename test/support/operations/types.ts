import type { Shop } from '../factories.ts';

/** What a caller sends to an operation. */
export type Request = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

/** Makes what an operation needs in a shop and answers a request it accepts. */
export type MakeRequest = (shop: Shop) => Promise<Request>;

/** Why a documented code cannot be raised. */
export type Unreachable = { readonly because: string };

/** Makes what a root field needs in a shop and answers variables it accepts. */
export type MakeVariables = (shop: Shop) => Promise<Record<string, unknown>>;

/** Why a root field has no REST route, and an operation that is accepted. */
export type Unrouted = { readonly because: string; readonly text: string; readonly variables: MakeVariables };

/** How tests call the operations of a module. */
export type ModuleOperations = {
  /** One accepted request per REST operation, by method and path. */
  readonly requests?: Readonly<Record<string, MakeRequest>>;
  /** One way into each documented rejection that belongs to a REST operation, by operation, then by code. Those every operation shares are provoked in the tests themselves. */
  readonly provocations?: Readonly<Record<string, Readonly<Record<string, MakeRequest | Unreachable>>>>;
  /** Root fields without REST, by name. */
  readonly unrouted?: Readonly<Record<string, Unrouted>>;
};
