import type { ServerResponse } from 'node:http';

/** What the bank behind the provider does with an order it is asked to make. */
export type BankScript =
  | 'accepts'
  /** Takes the order in and breaks the connection off. */
  | 'accepts silently'
  /** Takes the order in and leaves the connection open without a word. */
  | 'accepts and hangs'
  /** Does nothing and leaves the connection open without a word. */
  | 'hangs'
  /** Does nothing and breaks the connection off. */
  | 'loses'
  /** Breaks before doing anything. */
  | 'breaks';

type News = {
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
  readonly reasons?: readonly unknown[];
};

/** An order as it was asked for, with where it stands. */
export type Ordered = News & { readonly folder: string; readonly order: Readonly<Record<string, unknown>> };

/** A request as it reached the bank. */
export type BankCall = {
  readonly method: string;
  readonly folder: string;
  readonly id: string;
  readonly action: string;
  readonly text: string;
};

/** The bank behind a provider: it makes an order once, however often it is asked, and moves it on when it is told to. */
export class Bank {
  readonly made = new Map<string, Ordered>();
  /** Cards of live payers, by the token its page answered. */
  readonly methods = new Map<
    string,
    { readonly brand: string; readonly last4: string; readonly expMonth: number; readonly expYear: number }
  >();
  #scripts: BankScript[] = ['accepts'];

  /** What it does with orders from now on; the first of several is used for the next one, and the last for all after. */
  plays(...scripts: BankScript[]): void {
    this.#scripts = scripts;
  }

  /** Moves an order on. */
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
    if (action !== '') this.#takeBack(call);
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

  /** What is not on its way is taken back; what was never made is not made afterwards. */
  #takeBack({ folder, id }: BankCall): void {
    const { status, order } = this.made.get(id) ?? { status: 'pending', order: {} };
    if (status === 'pending') this.made.set(id, { status: 'canceled', folder, order });
  }
}
