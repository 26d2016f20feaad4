import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

// Fake implementation of the parts of Stripe's API that charges and pages use, with the documented objects
// and idempotency keys.

/**
 * Failure of a single request. `goes silent` executes the request and closes the connection, and does the same for an immediate retry.
 * Faults with `hangs` keep the connection open without a response.
 */
type Fault =
  | 'breaks after'
  | 'breaks before'
  | 'hangs after'
  | 'hangs before'
  | 'goes silent'
  | 429
  | 500
  | 503;

type Row = { id: string; metadata: Record<string, string>; [field: string]: unknown };

export type StripeServer = {
  readonly url: string;
  /** Requests that the fake received, such as `POST /v1/payment_intents`. */
  readonly calls: string[];
  /** Objects that the fake created, by ID. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly of: (prefix: string) => Row[];
  /**
   * Makes the next requests to this path fail, one request for each fault. Applies to POST requests, or to GET requests if the path starts
   * with `GET `.
   */
  readonly fails: (path: string, ...faults: Fault[]) => void;
  /** Completes the payer's authentication, or makes it fail. */
  readonly authenticates: (intentId: string, succeed: boolean) => void;
  /** Creates a partial refund as in Stripe's dashboard. Returns its ID. */
  readonly returns: (intentId: string, amount: number, status?: string) => string;
  /** Changes an object without sending a webhook. `null` deletes the object. */
  readonly changes: (id: string, fields: object | null) => void;
  /** Deletes a payment method, as though it had been detached at Stripe. */
  readonly forgets: (method: string) => void;
  /** Copies an object and changes some fields of the copy. */
  readonly copies: (id: string, fields: object) => void;
  readonly opens: (intentId: string, status: string) => string;
  readonly resolves: (disputeId: string, status: string) => void;
  /** Returns a signed webhook message. */
  readonly message: (
    type: string,
    object: unknown,
    secret: string,
    at: Date,
  ) => { body: string; headers: Record<string, string> };
  readonly close: () => Promise<void>;
};

/** IDs of the payment methods, by the behavior of their cards. */
export const stripeMethods = {
  pays: 'pm_card_visa',
  /** Card that pays successfully, for tests in which Stripe deletes the payment method. */
  forgotten: 'pm_card_mastercard',
  declines: 'pm_card_visa_chargeDeclined',
  authenticates: 'pm_card_authenticationRequired',
  declinesLater: 'pm_card_chargeDeclinedLater',
  wantsLater: 'pm_card_authenticationRequiredLater',
  /** Card that the payer's wallet contains. */
  wallet: 'pm_card_googlePay',
} as const;

/** IDs of the payment methods, by the card number that a payer enters. */
const methodsByNumber: Readonly<Record<string, string>> = {
  '4242424242424242': stripeMethods.pays,
  '4000000000000002': stripeMethods.declines,
  '4000002500003155': stripeMethods.authenticates,
};

const declined = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
  type: 'card_error',
};
const wanted = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Authenticate.',
  type: 'card_error',
};

type Reply = { readonly status: number; readonly body: unknown };

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

const metadataOf = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      /^metadata\[(.+)\]$/.exec(name)?.[1] ? [[/\[(.+)\]/.exec(name)?.[1] ?? '', value]] : [],
    ),
  );

const ok = (body: unknown): Reply => ({ status: 200, body });
const rejected = (status: number, error: object): Reply => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
});
const missing = (param: string): Reply =>
  rejected(404, { code: 'resource_missing', param, message: `No such ${param}` });

const alreadyReturned = rejected(400, {
  code: 'charge_already_refunded',
  message: 'The charge has already been refunded.',
});

/**
 * Starts the fake on a free port. The fake rejects the key `sk_test_refused`. The key `sk_test_other` belongs to another
 * account, which has no customers.
 */
export async function openStripe(): Promise<StripeServer> {
  const calls: string[] = [];
  const rows = new Map<string, Row>();
  const replies = new Map<string, Reply>();
  const faults = new Map<string, Fault[]>();
  const gone = new Set<string>();
  const silent = new Set<string>();
  let count = 0;
  const add = <T extends object>(prefix: string, row: T): Row => {
    const id = `${prefix}_${++count}`;
    const made = { metadata: {}, ...row, id };
    rows.set(id, made);
    return made;
  };
  const list = (prefix: string, filter: (row: Row) => boolean): Reply =>
    ok({
      object: 'list',
      has_more: false,
      url: '/',
      data: [...rows.values()].filter((row) => row.id.startsWith(`${prefix}_`) && filter(row)).toReversed(),
    });

  /** Uses a token that passes a saved card's security code to the issuer. A token can be used only once. */
  function spendCode(row: Row, token: string): void {
    const code = rows.get(token);
    const check = code?.['cvc'] === '000' ? 'fail' : code?.['cvc'] === '999' ? 'unavailable' : 'pass';
    const { id } = add('ch', {
      object: 'charge',
      payment_method_details: { card: { checks: { cvc_check: check } } },
    });
    Object.assign(code ?? {}, { used: true });
    Object.assign(row, { capture_method: 'manual', latest_charge: id });
  }

  /** With manual capture, confirming a payment only authorizes the amount. */
  const hold = (row: Row): void => {
    if (row['capture_method'] === 'manual') row['status'] = 'requires_capture';
  };

  function intent(prefix: 'pi' | 'seti', form: URLSearchParams): Reply {
    const method = form.get('payment_method') ?? '';
    const requested = Number(form.get('amount'));
    if (gone.has(method)) return missing('payment_method');
    if (requested > 99_999_999)
      return rejected(400, {
        code: 'amount_too_large',
        param: 'amount',
        message: 'Amount must be no more than 999,999.99',
      });
    if (prefix === 'pi' && requested < 50)
      return rejected(400, { code: 'amount_too_small', param: 'amount', message: 'Amount is too small' });
    const code = form.get('payment_method_options[card][cvc_token]');
    if (code !== null && rows.get(code)?.['used'] !== false)
      return rejected(400, { code: 'token_already_used', message: 'You cannot use a token more than once.' });
    const isLater = form.get('off_session') === 'true';
    const base = {
      object: prefix === 'pi' ? 'payment_intent' : 'setup_intent',
      customer: form.get('customer'),
      payment_method: method,
    };
    const row = add(prefix, {
      ...base,
      amount: requested,
      currency: form.get('currency'),
      setup_future_usage: form.get('setup_future_usage'),
      metadata: metadataOf(form),
    });
    row['client_secret'] = `${row.id}_secret`;
    const errorField = prefix === 'pi' ? 'last_payment_error' : 'last_setup_error';
    const fails = method === stripeMethods.declines || (isLater && method === stripeMethods.declinesLater);
    const wants = isLater && method === stripeMethods.wantsLater;
    row['status'] = fails || wants ? 'requires_payment_method' : 'succeeded';
    if (!isLater && method === stripeMethods.authenticates) row['status'] = 'requires_action';
    row[errorField] = fails ? declined : wants ? wanted : null;
    if (code !== null) spendCode(row, code);
    if (row['status'] === 'succeeded') hold(row);
    if (fails || wants)
      return { status: 402, body: { error: { ...(fails ? declined : wanted), payment_intent: row } } };
    return ok(row);
  }

  function serve(method: string, path: string, query: URLSearchParams, form: URLSearchParams): Reply {
    const [, kind = '', id = '', action = ''] =
      /^\/v1\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    const row = rows.get(id);
    if (kind === 'balance') return ok({ object: 'balance', available: [] });
    if (kind === 'customers' && method === 'GET') return row === undefined ? missing('id') : ok(row);
    if (kind === 'customers')
      return ok(add('cus', { object: 'customer', email: form.get('email'), metadata: metadataOf(form) }));
    if (kind === '3ds2') {
      const of = [...rows.values()].find((one) => one['client_secret'] === form.get('client_secret'));
      if (of === undefined) return missing('client_secret');
      const fails = { status: 'requires_payment_method', last_payment_error: declined };
      const goesOn = of['capture_method'] === 'manual' ? 'requires_confirmation' : 'succeeded';
      return ok(Object.assign(of, form.get('succeed') === 'true' ? { status: goesOn } : fails));
    }
    if (kind === 'tokens') {
      const cvc = form.get('cvc_update[cvc]') ?? '';
      return /^\d{3,4}$/.test(cvc)
        ? ok(add('cvctok', { object: 'token', type: 'cvc_update', used: false, cvc }))
        : rejected(402, {
            type: 'card_error',
            code: 'invalid_cvc',
            message: 'Your security code is incomplete.',
          });
    }
    if (kind === 'payment_methods' && id === '') {
      const number = form.get('card[number]')?.replaceAll(' ', '');
      const made = number === undefined ? stripeMethods.wallet : methodsByNumber[number];
      return made === undefined
        ? rejected(402, {
            type: 'card_error',
            code: 'incorrect_number',
            message: 'Your card number is incorrect.',
          })
        : ok({ id: made, object: 'payment_method', type: 'card' });
    }
    if (kind === 'payment_methods') {
      if (!Object.values(stripeMethods).some((known) => known === id) || gone.has(id))
        return missing('payment_method');
      if (action === 'detach') return ok({ id, object: 'payment_method', type: 'card', customer: null });
      const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099 };
      return ok({ id, object: 'payment_method', type: 'card', card, customer: form.get('customer') });
    }
    if (kind === 'refunds' && method === 'GET') {
      const of = query.get('payment_intent');
      const found = list('re', (one) => of === null || one['payment_intent'] === of);
      if (of !== null) return found;
      const { data } = found.body as { data: Row[] };
      const expanded = data.map((one) => ({
        ...one,
        payment_intent: rows.get(String(one['payment_intent'])),
      }));
      return ok({ ...(found.body as object), data: expanded });
    }
    if (kind === 'refunds') {
      const of = rows.get(form.get('payment_intent') ?? '');
      const isOver = ({ status }: Row): boolean => status === 'failed' || status === 'canceled';
      const before = [...rows.values()].filter(
        (one) => one['object'] === 'refund' && one['payment_intent'] === of?.id && !isOver(one),
      );
      const returned = before.reduce((sum, { amount }) => sum + Number(amount), 0);
      if (returned + Number(form.get('amount')) > Number(of?.['amount'])) return alreadyReturned;
      const about = {
        payment_intent: of?.id,
        currency: of?.['currency'],
        amount: Number(form.get('amount')),
        status: 'succeeded',
      };
      return ok(add('re', { object: 'refund', ...about, metadata: metadataOf(form) }));
    }
    if (kind === 'disputes' || kind === 'charges') return row === undefined ? missing('id') : ok(row);
    const prefix = kind === 'payment_intents' ? 'pi' : 'seti';
    if (method === 'GET' && id === '')
      return list(prefix, (one) => !query.has('customer') || one['customer'] === query.get('customer'));
    if (method === 'POST' && id === '') return intent(prefix, form);
    if (row === undefined) return missing('id');
    if (action === 'cancel' && row['status'] === 'succeeded') {
      return rejected(400, { code: `${row['object']}_unexpected_state`, message: 'It has succeeded.' });
    }
    if (action === 'cancel') row['status'] = 'canceled';
    if (action === 'confirm') hold(row);
    if (action === 'capture') row['status'] = 'succeeded';
    return ok(row);
  }

  const send = (
    response: ServerResponse,
    { status, body }: Reply,
    more: Record<string, string> = {},
  ): void => {
    const headers = { 'content-type': 'application/json', 'request-id': `req_${++count}`, ...more };
    response.writeHead(status, headers).end(JSON.stringify(body));
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://stripe');
    const form = await formOf(request);
    calls.push(`${method} ${pathname}`);
    if (headers.authorization === 'Bearer sk_test_refused') {
      return send(response, {
        status: 401,
        body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
      });
    }
    const key = headers['idempotency-key'];
    const name = method === 'POST' && typeof key === 'string' ? `${pathname} ${key}` : null;
    const known = name === null ? undefined : replies.get(name);
    if (known !== undefined)
      return silent.delete(name ?? '') ? void response.destroy() : send(response, known);
    const fault = faults.get(method === 'POST' ? pathname : `${method} ${pathname}`)?.shift();
    if (fault === 'breaks before') return void response.destroy();
    if (fault === 'hangs before') return;
    if (typeof fault === 'number') {
      const type = fault === 429 ? 'rate_limit_error' : 'api_error';
      return send(
        response,
        { status: fault, body: { error: { type, message: 'Not now.' } } },
        { 'retry-after': '60' },
      );
    }
    const isOther = headers.authorization === 'Bearer sk_test_other' && pathname.startsWith('/v1/customers/');
    const reply = isOther ? missing('id') : serve(method, pathname, searchParams, form);
    if (name !== null) replies.set(name, reply);
    if (fault === 'goes silent' && name !== null) silent.add(name);
    if (fault === 'hangs after') return;
    if (fault === 'breaks after' || fault === 'goes silent') return void response.destroy();
    send(response, reply);
  };

  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const change = (id: string, fields: object): Row => {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`There is no ${id}.`);
    return Object.assign(row, fields);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    rows,
    of: (prefix) => [...rows.values()].filter(({ id }) => id.startsWith(`${prefix}_`)),
    fails: (path, ...next) => void faults.set(path, [...next]),
    authenticates: (id, succeed) =>
      void change(
        id,
        succeed
          ? { status: 'succeeded' }
          : { status: 'requires_payment_method', last_payment_error: declined },
      ),
    returns: (id, amount, status = 'succeeded') =>
      add('re', {
        object: 'refund',
        payment_intent: id,
        currency: rows.get(id)?.['currency'],
        amount,
        status,
      }).id,
    changes: (id, fields) => void (fields === null ? rows.delete(id) : change(id, fields)),
    forgets: (method) => void gone.add(method),
    copies: (id, fields) => void add(id.split('_')[0] ?? '', { ...rows.get(id), ...fields }),
    opens: (id, status) =>
      add('dp', { object: 'dispute', payment_intent: id, reason: 'fraudulent', status }).id,
    resolves: (id, status) => void change(id, { status }),
    message: (type, object, secret, at) => {
      const body = JSON.stringify({
        id: `evt_${++count}`,
        object: 'event',
        type,
        data: { object },
        api_version: null,
        created: 0,
        livemode: false,
      });
      const timestamp = Math.floor(at.getTime() / 1_000);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
      return { body, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
