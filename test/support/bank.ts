import type { ServerResponse } from 'node:http';

/** The bank's scripted response to a payout order or a verification. */
export type BankScript =
  | 'accepts'
  /** Accepts the order and closes the connection. */
  | 'accepts silently'
  /** Accepts the order and keeps the connection open without a response. */
  | 'accepts and hangs'
  /** Ignores the request and keeps the connection open without a response. */
  | 'hangs'
  /** Ignores the request and closes the connection. */
  | 'loses'
  /** Responds with an error before processing the request. */
  | 'breaks';

type News = {
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
  readonly reasons?: readonly unknown[];
};

/** Payout order or verification that the bank received, with its current status. */
export type Ordered = News & { readonly folder: string; readonly order: Readonly<Record<string, unknown>> };

export type BankCall = {
  readonly method: string;
  readonly folder: string;
  readonly id: string;
  readonly action: string;
  readonly text: string;
};

/**
 * Bank behind the payout provider. Creates each order only once, even if it's requested repeatedly. Tests change the status with `decides`.
 */
export class Bank {
  readonly made = new Map<string, Ordered>();
  /** Cards of live payers, by the token that the payment page returned. */
  readonly methods = new Map<
    string,
    { readonly brand: string; readonly last4: string; readonly expMonth: number; readonly expYear: number }
  >();
  #scripts: BankScript[] = ['accepts'];

  /** Sets the responses to the next orders, one each. The last response also applies to all later orders. */
  plays(...scripts: BankScript[]): void {
    this.#scripts = scripts;
  }

  decides(id: string, news: News): void {
    const known = this.made.get(id);
    if (known === undefined) throw new Error(`${id} was never made.`);
    this.made.set(id, { ...known, ...news });
  }

  handle(
    call: BankCall,
    response: ServerResponse,
    reply: (response: ServerResponse, status: number, body: unknown) => void,
  ): void {
    const { method, folder, id, action } = call;
    if (folder === 'methods')
      return reply(response, this.methods.has(id) ? 200 : 404, this.methods.get(id) ?? {});
    if (method === 'PUT') return this.#make(call, response, reply);
    if (action !== '') this.#cancel(call);
    const known = this.made.get(id);
    if (known === undefined) return reply(response, 404, { error: 'never heard of it' });
    reply(response, 200, known);
  }

  #make(
    { folder, id, text }: BankCall,
    response: ServerResponse,
    reply: (response: ServerResponse, status: number, body: unknown) => void,
  ) {
    const known = this.made.get(id);
    if (known !== undefined) return reply(response, 200, known);
    const [script = 'accepts'] = this.#scripts;
    if (this.#scripts.length > 1) this.#scripts = this.#scripts.slice(1);
    if (script === 'breaks') return reply(response, 500, { error: 'broken' });
    if (script === 'loses') return void response.destroy();
    if (script === 'hangs') return;
    const emitted = { status: 'pending', folder, order: JSON.parse(text) as Record<string, unknown> };
    this.made.set(id, emitted);
    if (script === 'accepts and hangs') return;
    if (script === 'accepts silently') return void response.destroy();
    reply(response, 200, emitted);
  }

  /** Cancels an order unless it's in transit. An order that doesn't exist yet can't be created later. */
  #cancel({ folder, id }: BankCall): void {
    const { status, order } = this.made.get(id) ?? { status: 'pending', order: {} };
    if (status === 'pending') this.made.set(id, { status: 'canceled', folder, order });
  }
}
