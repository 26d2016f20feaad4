import type { Aggregate, Command, Decision, Tools } from './aggregate.ts';

/**
 * Decides a command on one customer's billing state. Pure: it reads nothing but its arguments, writes nothing and leaves the aggregate as
 * it was. Throws only for states that must not exist; whatever a caller can do wrong is an outcome.
 */
export function decide(aggregate: Aggregate, command: Command, tools: Tools): Decision {
  throw new Error(`${command.kind} cannot be decided for ${aggregate.customer.id} yet (${tools.newId('id')}).`);
}
