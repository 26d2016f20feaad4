import type { Shop } from './factories.ts';
import type { Answer, CallOptions } from './harness.ts';
import { memberOf, type Session } from './people.ts';

type Json = Readonly<Record<string, unknown>>;

/** Response to a call of an API key: the object, or the error. */
export type Called = Json & {
  readonly error: { readonly code: string; readonly message: string; readonly details: Json };
};

export type Agent = { readonly id: string; readonly key: string };

/** Approval with the response to the call that Quittance made. */
export type Made = {
  readonly id: string;
  readonly status: string;
  readonly canRun: boolean;
  readonly decidedBy: string | null;
  readonly note: string | null;
  readonly usedAt: string | null;
  readonly ranAt: string | null;
  readonly result: Json | null;
  readonly error: Json | null;
};

const fields = 'id status canRun decidedBy note usedAt ranAt result error { code message param }';

/** Members who decide about the calls of API keys, and the API keys, in a sandbox. */
export class Approvals {
  readonly shop: Shop;
  readonly admin: Session;
  readonly #organizationId: string;

  private constructor(shop: Shop, admin: Session, organizationId: string) {
    this.shop = shop;
    this.admin = admin;
    this.#organizationId = organizationId;
  }

  static async open(shop: Shop): Promise<Approvals> {
    const [row] = await shop.t.app.database.query<{ organizationId: string }>(
      'SELECT "organizationId" FROM "Environment" WHERE id = $1',
      [shop.environmentId],
    );
    const organizationId = row?.organizationId ?? '';
    return new Approvals(shop, await memberOf(shop.t, organizationId, 'admin'), organizationId);
  }

  member(role: 'member' | 'admin' = 'admin'): Promise<Session> {
    return memberOf(this.shop.t, this.#organizationId, role);
  }

  as({ headers }: Session): CallOptions {
    return {
      key: null,
      headers: { ...headers, 'x-organization': this.#organizationId, 'x-environment': 'sandbox' },
    };
  }

  /** Creates an API key with a policy. */
  async agent(policy: object, about: object = {}): Promise<Agent> {
    const { body } = await this.shop.rest<{ id: string; apiKey: string }>('POST', '/api-keys', {
      name: 'Agent',
      ...about,
    });
    const agent = { id: body.id, key: body.apiKey };
    await this.setPolicy(agent, policy);
    return agent;
  }

  async setPolicy({ id }: Agent, policy: object): Promise<void> {
    const { status } = await this.shop.t.rest('PUT', `/api-keys/${id}/policy`, policy, this.as(this.admin));
    if (status !== 200) throw new Error('The policy is invalid.');
  }

  /** Calls an operation as an API key. */
  call(
    { key }: Agent,
    [method, path, body]: readonly [method: string, path: string, body?: object],
    headers: Record<string, string> = {},
  ): Promise<Answer<Called>> {
    return this.shop.t.rest<Called>(method, path, body, { key, headers });
  }

  /** Calls an operation that needs an approval. Returns the ID of the approval. */
  async ask(agent: Agent, call: readonly [method: string, path: string, body?: object]): Promise<string> {
    const { status, body } = await this.call(agent, call);
    if (status !== 403) throw new Error(`The call needs no approval: ${JSON.stringify(body)}`);
    return String(body.error.details['approvalId']);
  }

  async decide(id: string, input: object = {}, session = this.admin): Promise<Made> {
    const { approvalDecide } = await this.shop.t.graphql<{ approvalDecide: Made }>(
      `mutation ($input: ApprovalDecideInput!) { approvalDecide(input: $input) { ${fields} } }`,
      { input: { id, decision: 'approve', ...input } },
      this.as(session),
    );
    return approvalDecide;
  }

  /** Approves a call and has it made. */
  run(id: string, session = this.admin): Promise<Made> {
    return this.decide(id, { run: true }, session);
  }

  /** Returns the error of a decision that is rejected. */
  async refusal(id: string, input: object = { run: true }, session = this.admin): Promise<Json> {
    const { errors } = await this.shop.t.graphqlFailure(
      'mutation ($input: ApprovalDecideInput!) { approvalDecide(input: $input) { id } }',
      { input: { id, decision: 'approve', ...input } },
      this.as(session),
    );
    return { message: errors[0]?.message, ...errors[0]?.extensions };
  }

  async read(id: string, options: CallOptions = this.as(this.admin)): Promise<Made> {
    const { approval } = await this.shop.t.graphql<{ approval: Made }>(
      `query ($id: ID!) { approval(id: $id) { ${fields} } }`,
      { id },
      options,
    );
    return approval;
  }

  /** Returns the events of a kind with their actors, oldest first. */
  events(kind: string): Promise<{ data: Json; source: string; actorId: string | null }[]> {
    return this.shop.t.app.database.query(
      'SELECT data, source, "actorId" FROM "Event" WHERE "environmentId" = $1 AND kind = $2 ORDER BY position',
      [this.shop.environmentId, kind],
    );
  }
}
