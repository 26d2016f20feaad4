import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pageClient } from '../../src/packages/cli/recipes.ts';
import { Quittance } from '../../src/packages/sdk/index.ts';
import { advanceDays, shopOf } from '../../test/support/factories.ts';
import { newTenant, type TestApp } from '../../test/support/harness.ts';
import { memberOf } from '../../test/support/people.ts';
import {
  moveSubscriptions,
  reconcileUsage,
  recoverPayments,
  refundOnce,
  workUnderPolicy,
} from './operating.ts';
import { receiveWebhooks } from './receiving.ts';
import { gateByCredits, meterTokens, raisePrice, sellPlan } from './selling.ts';
import type { Agent, Answer, Check, Start, Task, World } from './task.ts';

/** Tasks in the order of the report. */
export const tasks: readonly Task[] = [
  sellPlan,
  meterTokens,
  gateByCredits,
  raisePrice,
  refundOnce,
  recoverPayments,
  reconcileUsage,
  moveSubscriptions,
  receiveWebhooks,
  workUnderPolicy,
];

/** Creates the organization of a task with the keys of the agent and the grader. */
async function createWorld(t: TestApp): Promise<World> {
  const { organizationId, sandboxKey, sandboxId } = await newTenant(t.app, 'Task');
  const client = new Quittance({ baseUrl: t.url, apiKey: sandboxKey });
  const agentKey = await client.apiKeys.create({ name: 'Agent' });
  const shop = shopOf(t, sandboxKey, sandboxId);
  let member: { readonly key: null; readonly headers: Record<string, string> } | null = null;
  const asMember = async () => {
    member ??= {
      key: null,
      headers: {
        ...(await memberOf(t, organizationId, 'admin')).headers,
        'x-organization': organizationId,
        'x-environment': 'sandbox',
      },
    };
    return member;
  };
  return {
    client,
    page: pageClient(t.url),
    advanceDays: async (days) => {
      const status = await advanceDays(shop, days);
      if (status !== 'completed') throw new Error(`The clock run ended as ${status}.`);
    },
    url: t.url,
    organizationId,
    agentKey: agentKey.apiKey ?? '',
    setPolicy: async (policy) => {
      const { status, body } = await t.rest(
        'PUT',
        `/api-keys/${agentKey.id}/policy`,
        policy,
        await asMember(),
      );
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    approve: async (id) => {
      await t.graphql(
        'mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: approve }) { id } }',
        { id },
        await asMember(),
      );
    },
  };
}

/** Work of an agent: MCP calls, and bytes of their results. */
type Effort = { turns: number; bytes: number };

type Result = {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content?: readonly unknown[];
};

/** Connects the scripted agent with the MCP server. */
async function connect(
  { url, agentKey }: World,
  effort: Effort,
): Promise<Agent & { close: () => Promise<void> }> {
  const client = new Client({ name: 'scripted-agent', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${agentKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const attempt: Agent['attempt'] = async (name, values = {}) => {
    const result = (await client.callTool({ name, arguments: { ...values } })) as Result;
    effort.turns += 1;
    effort.bytes += Buffer.byteLength(JSON.stringify(result.content ?? []));
    return result.structuredContent ?? {};
  };
  const call: Agent['call'] = async (name, values) => {
    const result = await attempt(name, values);
    if (result['error'] !== undefined) throw new Error(`${name} failed: ${JSON.stringify(result['error'])}`);
    return result;
  };
  return {
    call,
    attempt,
    operate: (operation, values = {}) => call('call_operation', { operation, arguments: values }),
    close: () => client.close(),
  };
}

/** Program that solves a task in another process. */
export type Solve = (task: Task, start: Start, world: World) => Promise<Answer>;

export type Outcome = Effort & {
  readonly id: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly checks: readonly Check[];
};

/** Runs a task in a new organization. Without `solve`, the scripted agent solves it, or makes the named mistake. */
export async function runTask(
  t: TestApp,
  task: Task,
  { solve, mistake }: { readonly solve?: Solve; readonly mistake?: string } = {},
): Promise<Outcome> {
  const world = await createWorld(t);
  const start = await task.prepare(world);
  const effort: Effort = { turns: 0, bytes: 0 };
  const agent = await connect(world, effort);
  const began = performance.now();
  const act = mistake === undefined ? task.solve : task.mistakes[mistake];
  if (act === undefined) throw new Error(`${task.id} has no mistake ${mistake}.`);
  const answer = await (solve === undefined ? act(agent, start, world) : solve(task, start, world));
  const milliseconds = Math.round(performance.now() - began);
  await agent.close();
  const checks = await task.grade(world, start, answer);
  return { id: task.id, passed: checks.every(({ passed }) => passed), ...effort, milliseconds, checks };
}
