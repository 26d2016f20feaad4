import type { Stage } from '../../src/packages/cli/recipe-stage.ts';

// Graded tasks for agents. A task passes if every check of its grader passes. Graders read invoices, payments, and the ledger, never the words of the agent.

/** Sandbox of a task. `client` has a separate key for the grader, and `page` acts as the payer. */
export type World = Stage & {
  readonly url: string;
  readonly organizationId: string;
  /** Key of the agent. */
  readonly agentKey: string;
  /** Sets the policy of the agent's key, and decides its approvals, as a member does. */
  readonly setPolicy: (policy: object) => Promise<void>;
  readonly approve: (approvalId: string) => Promise<void>;
};

/** Values of the start state, which the text and the grader use. */
export type Start = Readonly<Record<string, unknown>>;

/** JSON object that the agent returns. Only tasks that ask for values read it. */
export type Answer = Readonly<Record<string, unknown>>;

export type Check = { readonly name: string; readonly passed: boolean; readonly found?: unknown };

/** Tools of the scripted agent: MCP calls with the agent's key. */
export type Agent = {
  /** Calls a tool. Throws if the service rejects the call. */
  readonly call: (tool: string, values?: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Calls a tool, and returns the error if the service rejects the call. */
  readonly attempt: (tool: string, values?: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Calls an operation that isn't in the default list. */
  readonly operate: (operation: string, values?: object) => Promise<Readonly<Record<string, unknown>>>;
};

export type Task = {
  readonly id: string;
  readonly textOf: (start: Start) => string;
  /** Creates the start state. */
  readonly prepare: (world: World) => Promise<Start>;
  /** Solves the task like an agent. */
  readonly solve: (agent: Agent, start: Start, world: World) => Promise<Answer>;
  readonly grade: (world: World, start: Start, answer: Answer) => Promise<readonly Check[]>;
  /** Wrong solutions, which the grader must reject. */
  readonly mistakes: Readonly<Record<string, (agent: Agent, start: Start, world: World) => Promise<Answer>>>;
};

/** Compares a found value with the expected value. */
export const check = (name: string, found: unknown, expected: unknown): Check => ({
  name,
  passed: JSON.stringify(found) === JSON.stringify(expected),
  found,
});

/** Wrong solution that does nothing. */
export const nothing = async (): Promise<Answer> => ({});

/** Checks that the stored balances equal the ledger. */
export async function ledgerCheck({ client }: World): Promise<Check> {
  const { ledgerVerify } = await client.graphql<{ ledgerVerify: { ok: boolean } }>('{ ledgerVerify { ok } }');
  return check('the ledger is consistent', ledgerVerify.ok, true);
}

/** Returns the totals of a customer's paid invoices, oldest first. */
export async function paidTotals({ client }: World, customerId: string): Promise<number[]> {
  const { data } = await client.invoices.list({ customerId, limit: 100 });
  return data
    .filter(({ status }) => status === 'paid')
    .map(({ total }) => total)
    .toReversed();
}
