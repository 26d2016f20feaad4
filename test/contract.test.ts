import { describe, expect, test } from 'vitest';
import { openApiOf } from '../src/rest/openapi.ts';
import { schema } from '../src/schema.ts';
import { pending } from './contract/pending.ts';
import {
  type ContractOperation,
  documentedCodes,
  isList,
  nameOf,
  operations,
  resourceShape,
  returnedResource,
  successStatuses,
} from './support/contract.ts';
import { differences } from './support/differences.ts';
import { provocations } from './support/operations/index.ts';
import { routeName, routes } from './support/queries.ts';
import { requests } from './support/requests.ts';
import {
  contractSignature,
  fieldsSignature,
  objectSignature,
  SchemaReader,
  type Signature,
} from './support/signature.ts';

type JsonSchema = { readonly [keyword: string]: unknown };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
};
type Media = { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
type Documented = {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media & { readonly 'x-codes'?: readonly string[] }>>;
};

const registered = new Set(routes.map(routeName));
const built = operations.filter((operation) => registered.has(nameOf(operation)));
const document = openApiOf(schema, 'https://billing.example');
const reader = new SchemaReader(document.components['schemas'] as Readonly<Record<string, JsonSchema>>);

const documented = ({ method, path }: ContractOperation): Documented => {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${method} ${path} is not documented.`);
  return found as unknown as Documented;
};

/**
 * Intentional differences between the OpenAPI document and the contract. If the document is less strict than the contract,
 * test/rest/every-route.test.ts checks real responses.
 */
const deliberate: readonly { readonly line: RegExp; readonly reason: string }[] = [
  {
    line: /^body\.(\w+\[\]\.)?currency takes aed .* zar, not ars /,
    reason: 'Currencies that can be charged in besides those of the contract.',
  },
  {
    line: /^body\.(customers\[\]\.)?timezone takes any text/,
    reason: 'A checked scalar: names with a slash are no GraphQL enumeration.',
  },
  {
    line: /^body\.(overrides\[\]\.)?currency takes .*, not any text$/,
    reason: 'Only what can be charged; other texts are rejected anyway.',
  },
  {
    line: /^body\.customers\[\]\.email has the format null/,
    reason: 'A bad format fails the item, not the call.',
  },
  {
    line: /^answer\.offerApplications\[\]\.source can be card_promotion custom direct introductory promo_code retention$/,
    reason: 'A channel besides those of the contract: the offer to stay.',
  },
  {
    line: /^answer\.(data\[\]\.)?(features\[\]\.overage\.)?rate is not documented$/,
    reason: 'A rate with tiers. Absent if the feature only has a unit price.',
  },
  {
    line: /^answer\.(data\[\]\.)?meter is not documented$/,
    reason: 'The meter of a feature. Absent if no meter was set.',
  },
  {
    line: /^answer\.(lineItems\[\]\.exactQuantity|quantity|isEstimate) is not documented$/,
    reason: 'Exact quantities and estimates of meters. Absent if the feature counts whole units.',
  },
  {
    line: /^answer\.((data\[\]\.)?requireBudget|budget|estimatedPrice|hold|isLate|kind|level|limits|maxQuantity|sourceEventId|throttle|uncounted) is not documented$/,
    reason: 'Exact prices of tokens, budgets, and limits. Absent unless they are used.',
  },
  {
    line: /^answer\.(data\[\]\.)?(consumption\.)?asset is not documented$/,
    reason: 'Only present for custom units other than credits.',
  },
  {
    line: /^answer\.settle is not documented$/,
    reason: 'Only present if the feature has a settlement of its own.',
  },
  {
    line: /^answer\.(data\[\]\.)?validDays is not documented$/,
    reason: "The validity of purchased credits. Absent if they don't expire.",
  },
  {
    line: /^answer\.(data\[\]\.)?(prices\[\]\.)?minimumSpend is not documented$/,
    reason: "Minimum spend of a price or of a subscription's current period. Absent if there is no minimum.",
  },
  {
    line: /^answer\.refundTakesBack is not documented$/,
    reason: "Whether refunds remove unused credits. Absent if they don't.",
  },
  {
    line: /^answer\.rateCard is not documented$/,
    reason: 'Rates by dimension. Absent if the feature has one rate for all usage.',
  },
  {
    line: /^answer\.derivedRate is not documented$/,
    reason: 'A rate that is derived from a cost. Absent if the pricing mode and the margin contain it.',
  },
  {
    line: /^answer\.secretKey can be null$/,
    reason: 'One GraphQL type for both views: the secret is shown by the creation only.',
  },
  {
    line: /^answer\.apiKey can be null$/,
    reason: 'One GraphQL type for both views: the secret is shown by the creation only.',
  },
  {
    line: /^answer\.lineItems\[\]\.unitAmount is number, not integer$/,
    reason: 'Rates below a cent need fractions, as the contract notes.',
  },
  {
    line: /^answer\.status can be active inactive$/,
    reason: 'One type for add-ons that are on and off; each answer has the one it is for.',
  },
  {
    line: /^answer\.consumptionModel can be balance credits metered$/,
    reason: 'Told by each of the three types of a check.',
  },
  {
    line: /^answer\.consumption\.availableUnits is optional$/,
    reason: 'One name in two union members: always told of credits, not of every balance.',
  },
];

/** Operations that the contract doesn't contain, with the reason for each. */
const beyond: Readonly<Record<string, string>> = {
  'PUT /ai-models/{id}/price': "Beyond the contract: an environment's own prices of AI models.",
  'DELETE /ai-models/{id}/price': "Beyond the contract: an environment's own prices of AI models.",
  'GET /credit-notes': 'Beyond the contract: credit notes.',
  'GET /credit-notes/{id}': 'Beyond the contract: credit notes.',
  'GET /invoices/{id}/payment-instructions': 'Beyond the contract: payments by the customer.',
  'POST /credit-notes/{id}/download-links': 'Beyond the contract: credit notes.',
  'GET /export-schedules': 'Beyond the contract: lists as files.',
  'POST /export-schedules': 'Beyond the contract: lists as files.',
  'PATCH /export-schedules/{id}': 'Beyond the contract: lists as files.',
  'DELETE /export-schedules/{id}': 'Beyond the contract: lists as files.',
  'GET /exports': 'Beyond the contract: lists as files.',
  'GET /exports/{id}': 'Beyond the contract: lists as files.',
  'POST /exports': 'Beyond the contract: lists as files.',
  'POST /exports/{id}/cancel': 'Beyond the contract: lists as files.',
  'GET /fx-rates': 'Beyond the contract: exchange rates of metrics.',
  'PUT /fx-rates': 'Beyond the contract: exchange rates of metrics.',
  'DELETE /fx-rates': 'Beyond the contract: exchange rates of metrics.',
  'GET /metrics/billed': 'Beyond the contract: metrics.',
  'GET /metrics/cash': 'Beyond the contract: metrics.',
  'GET /metrics/cohorts': 'Beyond the contract: metrics.',
  'GET /metrics/headline': 'Beyond the contract: metrics.',
  'GET /metrics/scheduled': 'Beyond the contract: metrics.',
  'GET /metrics/trials': 'Beyond the contract: metrics.',
  'GET /metrics/mrr': 'Beyond the contract: metrics.',
  'GET /metrics/mrr/changes': 'Beyond the contract: metrics.',
  'GET /metrics/retention': 'Beyond the contract: metrics.',
  'GET /metrics/receivables': 'Beyond the contract: metrics.',
  'GET /metrics/recovery': 'Beyond the contract: metrics.',
  'GET /metrics/usage': 'Beyond the contract: metrics.',
  'GET /metrics/margin': 'Beyond the contract: metrics.',
  'GET /pricing-tables': 'Beyond the contract: pricing tables.',
  'POST /pricing-tables': 'Beyond the contract: pricing tables.',
  'GET /pricing-tables/{id}': 'Beyond the contract: pricing tables.',
  'PATCH /pricing-tables/{id}': 'Beyond the contract: pricing tables.',
  'DELETE /pricing-tables/{id}': 'Beyond the contract: pricing tables.',
  'POST /provision': 'Beyond the contract: an organization that a program sets up for itself.',
  'GET /customers/{id}/auto-top-up': 'Beyond the contract: automatic top-ups.',
  'PUT /customers/{id}/auto-top-up': 'Beyond the contract: automatic top-ups.',
  'DELETE /customers/{id}/auto-top-up': 'Beyond the contract: automatic top-ups.',
  'POST /customers/{id}/auto-top-up/resume': 'Beyond the contract: automatic top-ups.',
  'GET /subscriptions/{id}/commitments': 'Beyond the contract: prepaid commitments.',
  'POST /subscriptions/{id}/commitments': 'Beyond the contract: prepaid commitments.',
  'PATCH /commitments/{id}': 'Beyond the contract: prepaid commitments.',
  'GET /request-log': 'Beyond the contract: the request log.',
  'GET /request-log/{id}': 'Beyond the contract: the request log.',
  'POST /request-log/{id}/replay': 'Beyond the contract: the request log.',
  'GET /limits': 'Beyond the contract: limits.',
  'POST /limits': 'Beyond the contract: limits.',
  'GET /limits/{id}': 'Beyond the contract: limits.',
  'PATCH /limits/{id}': 'Beyond the contract: limits.',
  'DELETE /limits/{id}': 'Beyond the contract: limits.',
  'POST /limits/{id}/raises': 'Beyond the contract: limits.',
  'DELETE /limits/{id}/raises/{raiseId}': 'Beyond the contract: limits.',
  'GET /limit-crossings': 'Beyond the contract: limits.',
  'PATCH /api-keys/{id}': 'Beyond the contract: permissions of API keys.',
  'GET /api-keys/{id}/policy': 'Beyond the contract: policies of API keys.',
  'GET /mandates': 'Beyond the contract: mandates of bank debits.',
  'GET /mandates/{id}': 'Beyond the contract: mandates of bank debits.',
  'POST /mandates/{id}/revoke': 'Beyond the contract: mandates of bank debits.',
  'GET /receipts': 'Beyond the contract: money that payers send without a charge.',
  'GET /receipts/{id}': 'Beyond the contract: money that payers send without a charge.',
  'POST /receipts': 'Beyond the contract: money that payers send without a charge.',
  'POST /receipts/{id}/apply': 'Beyond the contract: money that payers send without a charge.',
  'POST /receipts/{id}/return': 'Beyond the contract: money that payers send without a charge.',
  'POST /bank-statements': 'Beyond the contract: imports of bank statements.',
  'GET /approvals': 'Beyond the contract: approvals.',
  'GET /approvals/{id}': 'Beyond the contract: approvals.',
  'GET /customers/{id}/limits': 'Beyond the contract: limits.',
  'GET /customers/{id}/plan-limits': 'Beyond the contract: limits from the terms of a plan.',
  'GET /customers/{id}/budgets': 'Beyond the contract: limits.',
  'POST /customers/{id}/budgets': 'Beyond the contract: limits.',
  'GET /customers/{id}/budgets/{key}': 'Beyond the contract: limits.',
  'PATCH /customers/{id}/budgets/{key}': 'Beyond the contract: limits.',
  'DELETE /customers/{id}/budgets/{key}': 'Beyond the contract: limits.',
  'POST /customers/{id}/invoices': 'Beyond the contract: invoices with line items.',
  'GET /customers/{id}/lots': 'Beyond the contract: lots.',
  'POST /customers/{id}/lots': 'Beyond the contract: lots.',
  'POST /lots/{id}/revoke': 'Beyond the contract: lots.',
  'PUT /lots/{id}/expiry': 'Beyond the contract: lots.',
  'PUT /features/{code}/meter': 'Beyond the contract: meters.',
  'POST /features/{code}/meter/preview': 'Beyond the contract: meters.',
  'GET /usage/totals': 'Beyond the contract: totals by dimension.',
  'POST /usage/batch': 'Beyond the contract: holds.',
  'GET /usage/holds': 'Beyond the contract: holds.',
  'POST /usage/holds': 'Beyond the contract: holds.',
  'GET /usage/holds/{id}': 'Beyond the contract: holds.',
  'POST /usage/holds/{id}/extend': 'Beyond the contract: holds.',
  'POST /usage/holds/{id}/release': 'Beyond the contract: holds.',
  'POST /usage/holds/{id}/settle': 'Beyond the contract: holds.',
  'GET /rate-cards': 'Beyond the contract: rate cards.',
  'POST /rate-cards': 'Beyond the contract: rate cards.',
  'GET /rate-cards/{id}': 'Beyond the contract: rate cards.',
  'PATCH /rate-cards/{id}': 'Beyond the contract: rate cards.',
  'DELETE /rate-cards/{id}': 'Beyond the contract: rate cards.',
  'GET /usage/corrections': 'Beyond the contract: corrections of usage.',
  'POST /usage/events/{id}/void': 'Beyond the contract: corrections of usage.',
  'POST /usage/events/{id}/replace': 'Beyond the contract: corrections of usage.',
  'POST /catalog-impact': 'Beyond the contract: impact of catalog changes.',
  'POST /rates/preview': 'Beyond the contract: rates with tiers.',
  'GET /assets': 'Beyond the contract: custom units.',
  'POST /assets': 'Beyond the contract: custom units.',
  'GET /assets/{code}': 'Beyond the contract: custom units.',
  'PATCH /assets/{code}': 'Beyond the contract: custom units.',
  'DELETE /assets/{code}': 'Beyond the contract: custom units.',
  'DELETE /plans/{id}/pools/{asset}': 'Beyond the contract: several pools of a plan.',
  'PUT /plans/{id}/pools/{asset}': 'Beyond the contract: rollover of credits and balances.',
  'PUT /plans/{id}/features/{featureId}/rate': 'Beyond the contract: rates with tiers.',
  'DELETE /plans/{id}/features/{featureId}/rate': 'Beyond the contract: rates with tiers.',
  'GET /plans/{id}/features/{featureId}/cost': 'Beyond the contract: costs.',
  'PUT /plans/{id}/features/{featureId}/cost': 'Beyond the contract: costs.',
  'PUT /addons/{id}/rate': 'Beyond the contract: rates with tiers.',
  'DELETE /addons/{id}/rate': 'Beyond the contract: rates with tiers.',
  'POST /usage/events/batch': 'Many events in one call; the contract has one event per call.',
  'POST /webhooks/{id}/rotate-secret': 'Beyond the contract: a new secret while the old one still signs.',
};

/** Token counts that the contract doesn't contain. */
const otherTokens = [
  'audioInputTokens',
  'audioOutputTokens',
  'cacheWrite1hTokens',
  'imageInputTokens',
  'imageOutputTokens',
  'inputIncludesCache',
  'reasoningTokens',
];
const cachedTokens = ['cacheReadTokens', 'cacheWriteTokens'];

const undocumented = (field: string): string => `body.${field} is not documented`;

/** Inputs that the contract doesn't contain, by operation. */
const additions: Readonly<Record<string, readonly string[]>> = {
  'GET /credit-packs': ['query.includeInactive is not documented'],
  'POST /api-keys': ['body.permissions is not documented'],
  'GET /transactions': ['query.customerId is not documented'],
  'PATCH /addons/{id}': ['body.description can be null'],
  'POST /plans/{id}/features': ['body.settle is not documented'],
  'PATCH /plans/{id}/features/{featureId}': ['body.settle is not documented'],
  'POST /plans/{id}/prices': ['body.minimumSpend is not documented'],
  'PATCH /plans/{id}/prices/{priceId}': ['body.minimumSpend is not documented'],
  'POST /credit-packs': [
    'body.asset is not documented',
    'body.refundTakesBack is not documented',
    'body.validDays is not documented',
  ],
  'PATCH /credit-packs/{id}': [
    'body.description can be null',
    'body.refundTakesBack is not documented',
    'body.validDays is not documented',
  ],
  // `null` removes a value (GLO-5a).
  'PATCH /customers/{id}': [
    'body.taxDocument can be null',
    'body.externalId can be null',
    'body.address can be null',
    'body.address.phone is not documented',
    'body.requireBudget is not documented',
  ],
  'POST /customers': ['body.address.phone is not documented', 'body.requireBudget is not documented'],
  'POST /customers/batch': ['body.customers[].requireBudget is not documented'],
  'POST /invoices': ['body.invoiceId is not documented'],
  // Lets a payment link save the card with the payer's consent.
  'POST /payments': ['body.saveCard is not documented'],
  'POST /portal/sessions': ['body.locale is not documented'],
  'POST /subscriptions': ['body.locale is not documented'],
  'POST /usage/check': [
    'budget',
    'model',
    'properties',
    'inputTokens',
    'outputTokens',
    ...cachedTokens,
    ...otherTokens,
  ]
    .map(undocumented)
    .sort(),
  'POST /usage/events': [...otherTokens, 'budget', 'final', 'hold', 'kind', 'quantity']
    .map(undocumented)
    .sort(),
  'POST /webhooks/{id}/test': ['body.event is not documented'],
};

/** True if an input accepts every documented event type. Additional types are allowed. */
function takesMoreEventTypes(text: string): boolean {
  const [, taken, known] = /^body\.events\[\] takes (.+), not (.+)$/.exec(text) ?? [];
  if (taken === undefined || known === undefined) return false;
  const types = new Set(taken.split(' '));
  return known.split(' ').every((type) => types.has(type));
}

const unexpected = (lines: readonly string[]): string[] =>
  lines.filter((text) => !takesMoreEventTypes(text) && !deliberate.some(({ line }) => line.test(text)));

const addedTo = (operation: string, place: 'query' | 'body'): string[] =>
  (additions[operation] ?? []).filter((line) => line.startsWith(`${place}.`));

describe("the contract's list of operations", () => {
  test('contains each operation exactly once, as available or pending', () => {
    expect([...registered, ...pending].sort()).toEqual(
      [...operations.map(nameOf), ...Object.keys(beyond)].sort(),
    );
  });

  test('has a sample request for each available operation', () => {
    expect(Object.keys(requests).sort()).toEqual([...registered].sort());
  });
});

const isRetired = (operation: ContractOperation): boolean => successStatuses(operation)[0] === 410;

test('omits exactly the routes that return 410 from the OpenAPI document', () => {
  const described = built.filter(({ method, path }) => document.paths[path]?.[method.toLowerCase()]);
  expect(built.filter((operation) => !described.includes(operation))).toEqual(built.filter(isRetired));
});

describe.each(
  built
    .filter((operation) => !isRetired(operation))
    .map((operation) => [nameOf(operation), operation] as const),
)('the description of %s', (name, operation) => {
  const description = documented(operation);
  const parameters = (place: string) => description.parameters.filter((parameter) => parameter.in === place);

  test('has the documented path parameters', () => {
    expect(
      parameters('path')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(operation.pathParams.map(({ name }) => name).sort());
  });

  test('has the documented query parameters', () => {
    // Filters, searches, and sort orders of lists, which the contract doesn't contain.
    const filters = (routes.find((route) => routeName(route) === name)?.inputs ?? [])
      .filter(({ path: [argument = ''] }) => ['filter', 'search', 'sort'].includes(argument))
      .map((input) => input.name);
    const known = parameters('query').filter((parameter) => !filters.includes(parameter.name));
    const members = known.map(({ name: called, required, schema: shape }) => [
      called,
      { isRequired: required, signature: reader.signature(shape) },
    ]);
    const query = objectSignature(Object.fromEntries(members));
    expect(unexpected(differences(query, fieldsSignature(operation.query), 'input', 'query'))).toEqual(
      addedTo(name, 'query'),
    );
  });

  test('has the documented body', () => {
    const { requestBody } = description;
    const body: Signature =
      requestBody === undefined
        ? objectSignature({})
        : reader.signature(requestBody.content['application/json'].schema);
    expect(unexpected(differences(body, fieldsSignature(operation.body), 'input', 'body'))).toEqual(
      addedTo(name, 'body'),
    );
  });

  test('has the documented response and status', () => {
    const statuses = Object.keys(description.responses)
      .map(Number)
      .filter((status) => status < 300);
    const [status] = successStatuses(operation);
    expect(statuses).toEqual(successStatuses(operation));
    const answer = reader.signature(
      description.responses[String(status)]?.content['application/json'].schema ?? {},
    );
    const shown = isList(operation) ? answer.members?.['data']?.signature.items : answer;
    if (shown === null || shown === undefined) throw new Error('The list is described without its items.');
    const resource = {
      ...resourceShape(returnedResource(operation)),
      nullable: operation.returnsNullable === true,
    };
    expect(unexpected(differences(shown, contractSignature(resource), 'answer', 'answer'))).toEqual([]);
  });

  test('has the documented errors that can occur', () => {
    const listed = Object.values(description.responses).flatMap((response) => response['x-codes'] ?? []);
    const unreachable = Object.entries(provocations[name] ?? {})
      .filter(([, provocation]) => typeof provocation !== 'function')
      .map(([code]) => code);
    const unlisted = documentedCodes(operation).filter((code) => !listed.includes(code));
    expect(unlisted.filter((code) => !unreachable.includes(code))).toEqual([]);
  });

  test('declares an idempotency key if and only if the contract declares one', () => {
    expect(routes.find((route) => routeName(route) === nameOf(operation))?.isIdempotent).toBe(
      operation.idempotent,
    );
  });
});
