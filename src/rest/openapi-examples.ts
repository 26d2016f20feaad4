import { type JsonSchema, resolved } from './json-schema.ts';

// Examples are generated from the schemas, so that they always match. This table contains typical values by property name.

const prefixes: Readonly<Record<string, string>> = {
  addon: 'adn',
  budget: 'bud',
  limit: 'lim',
  limit_crossing: 'lcr',
  limit_raise: 'lrs',
  usage_hold: 'hld',
  api_key: 'key',
  approval: 'apr',
  auto_topup: 'atu',
  card_promotion: 'cpr',
  connected_account: 'con',
  credit: 'crd',
  commitment: 'cmt',
  credit_pack: 'cpk',
  customer: 'cus',
  export_schedule: 'exs',
  feature: 'ftr',
  grant: 'pgr',
  invoice: 'inv',
  market: 'pmg',
  member: 'mem',
  member_invitation: 'ivt',
  offer: 'ofr',
  organization: 'org',
  payment: 'pay',
  payment_connection: 'con',
  payout: 'po',
  receipt: 'rcp',
  plan: 'pln',
  plan_group: 'plg',
  plan_price: 'pp',
  price: 'pp',
  pricing_table: 'ptb',
  promo_code: 'prc',
  subscription: 'sub',
  tax_registration: 'txr',
  test_clock: 'tcr',
  transaction: 'txn',
  webhook: 'whe',
  webhook_delivery: 'whd',
};

const texts: Readonly<Record<string, string>> = {
  city: 'Springfield',
  code: 'pro',
  country: 'US',
  currency: 'usd',
  customerEmail: 'ada@example.com',
  customerName: 'Ada Lovelace',
  description: 'For small teams.',
  email: 'ada@example.com',
  externalId: 'ada',
  fullName: 'Ada Lovelace',
  line1: '1 Main St',
  name: 'Pro',
  planCode: 'pro',
  postalCode: '12345',
  timezone: 'Europe/Berlin',
};

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-08-27T09:30:00.000Z',
  date: '2026-08-27',
  email: 'ada@example.com',
  uri: 'https://example.com/billing',
};

/** Strings to try as examples of an input with a pattern. */
const candidates = ['US', 'usd', 'pro', 'PRO10', 'AA', '0.20', '12345', '2026-08-27'];

const amountNames = /price|amount|total|subtotal|fee|net|gross/i;

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (notification) => `_${notification.toLowerCase()}`);

/** Returns the resource at the start of a name, for example `card_promotion` for `cardPromotionDelete`. Empty if no known resource matches. */
export const resourceIn = (name: string): string =>
  Object.keys(prefixes)
    .filter((resource) => snake(name).startsWith(resource))
    .reduce((longest, resource) => (resource.length > longest.length ? resource : longest), '');

/** Returns an example ID. Different `last` characters produce different IDs. */
export const exampleId = (resource: string, last = 'J'): string =>
  `${prefixes[resource] ?? 'id'}_1JNkcnXR6WYnGWJZKY8De${last}`;

/** Returns an example string for a property. `owner` is the `object` value of the enclosing object. */
function textFor(schema: JsonSchema, name: string, owner: string): string {
  const {
    format,
    pattern,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
  } = schema as { format?: string; pattern?: string } & {
    minLength?: number;
    maxLength?: number;
  };
  const byFormat = format === undefined ? undefined : formats[format];
  if (byFormat !== undefined) return byFormat;
  const suggested =
    name === 'id'
      ? exampleId(owner)
      : name.endsWith('Id')
        ? (texts[name] ?? exampleId(snake(name.slice(0, -2))))
        : texts[name];
  const isFine = (text: string): boolean =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  return [suggested ?? 'text', ...candidates].find(isFine) ?? 'text';
}

function numberFor({ minimum, maximum, exclusiveMinimum }: JsonSchema, name: string): number {
  const lowest = Math.max(
    Number(minimum ?? 0),
    exclusiveMinimum === undefined ? 0 : Number(exclusiveMinimum) + 1,
  );
  const wanted = amountNames.test(name) ? 4_900 : 1;
  return Math.min(Math.max(wanted, lowest), Number(maximum ?? wanted));
}

/** Generates examples for schemas. `components` contains the schemas that references point to. */
export class Examples {
  readonly #components: Readonly<Record<string, JsonSchema>>;

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
  }

  /** Returns an example response with all properties. A property is `null` only if its schema allows no other value. */
  answer(schema: JsonSchema): unknown {
    return this.#value(schema, '', '', false);
  }

  /**
   * Returns an example request body. Contains the required properties, and optional properties if there are only a few required properties.
   */
  body(schema: JsonSchema): unknown {
    return this.#value(schema, '', '', true);
  }

  #value(provided: JsonSchema, name: string, owner: string, isBody: boolean): unknown {
    const schema = resolved(this.#components, provided);
    if (schema['const'] !== undefined) return schema['const'];
    if (Array.isArray(schema['enum'])) return schema['enum'][0];
    const alternatives = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined;
    if (alternatives?.[0] !== undefined) return this.#value(alternatives[0], name, owner, isBody);
    const [type] = [schema['type'] ?? []].flat();
    if (type === 'object') return this.#object(schema, name, owner, isBody);
    if (type === 'array') {
      const item = this.#value(schema['items'] as JsonSchema, name, owner, isBody);
      return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () => item);
    }
    if (type === 'boolean') return schema['default'] ?? true;
    if (type === 'integer' || type === 'number') return schema['default'] ?? numberFor(schema, name);
    return type === 'null' ? null : textFor(schema, name, owner);
  }

  #object(schema: JsonSchema, name: string, owner: string, isBody: boolean): Record<string, unknown> {
    const { properties, additionalProperties, required } = schema as {
      properties?: Record<string, JsonSchema>;
      additionalProperties?: JsonSchema | boolean;
      required?: readonly string[];
    };
    if (properties === undefined) {
      const isMap = typeof additionalProperties === 'object';
      return isMap ? { seats: this.#value(additionalProperties, name, owner, isBody) } : {};
    }
    const own = String(properties['object']?.['const'] ?? owner);
    const names = Object.keys(properties);
    const needed = names.filter((member) => required?.includes(member) === true);
    const few = names.filter((member) => !needed.includes(member)).slice(0, Math.max(0, 2 - needed.length));
    const shown = isBody ? names.filter((member) => needed.includes(member) || few.includes(member)) : names;
    return Object.fromEntries(
      shown.map((member) => [member, this.#value(properties[member] ?? {}, member, own, isBody)]),
    );
  }
}
