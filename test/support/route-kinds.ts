import type { Route } from '../../src/rest/routes.ts';
import { type ContractOperation, nameOf, operations, successStatuses } from './contract.ts';
import { routeName, routes } from './queries.ts';

// Kinds of routes. All routes of a kind handle a request in the same way until the operation runs.

const registered = new Set(routes.map(routeName));

/** Operations of the contract that have a route. */
export const built = operations.filter((operation) => registered.has(nameOf(operation)));

/** Returns the route of an operation in the contract. */
export const routeOf = (operation: ContractOperation): Route => {
  const route = routes.find((each) => routeName(each) === nameOf(operation));
  if (route === undefined) throw new Error(`There is no ${nameOf(operation)}.`);
  return route;
};

/** Returns the route's kind: all properties that affect how a request is handled until the operation runs. */
function kindOf({ kind, method, rest, isIdempotent, access }: Route): string {
  const strategy = isIdempotent ? (rest.idempotency ?? 'in-transaction') : 'without a key';
  const more = [
    rest.ingestion === true ? 'ingestion' : null,
    rest.secret === true ? 'secret' : null,
    'anonymous' in access ? 'public' : null,
  ];
  return [
    kind,
    ...(kind === 'query' ? [] : [method, strategy]),
    ...more.filter((part) => part !== null),
  ].join(', ');
}

/** One operation of each kind, with its name. */
export const kinds = [
  ...Map.groupBy(
    built.filter((operation) => successStatuses(operation)[0] !== 410),
    (operation) => kindOf(routeOf(operation)),
  ),
].flatMap(([kind, [operation]]) =>
  operation === undefined ? [] : [[`${kind} (${nameOf(operation)})`, operation] as const],
);
