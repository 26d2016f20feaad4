// Vocabulary for declaring event payloads. A payload is declared once; GraphQL types, OpenAPI schemas, the types of the client,
// and the event catalog are generated from the declaration.

/** Type of a single value: the name of a GraphQL scalar or enum. */
export type LeafType =
  | 'BillingInterval'
  | 'Boolean'
  | 'ConsumptionModel'
  | 'CreditNoteReason'
  | 'Currency'
  | 'DateTime'
  | 'DisputeOutcome'
  | 'ExportFormat'
  | 'ExportKind'
  | 'FeatureType'
  | 'ID'
  | 'Int'
  | 'MandateEnder'
  | 'InvoiceStatus'
  | 'LimitMeasure'
  | 'LotSource'
  | 'PaymentProvider'
  | 'PaymentStatus'
  | 'PayoutStatus'
  | 'PlanGrantDuration'
  | 'PlanGrantEventSource'
  | 'PlanGrantEventType'
  | 'PlanGrantStatus'
  | 'ReceiptStatus'
  | 'SafeInt'
  | 'String'
  | 'SubscriptionStatus'
  | 'TextMap'
  | 'UsageCorrectionKind';

/** Object in a payload. `name` is the name of its GraphQL type. */
export type ObjectType = { readonly name: string; readonly description: string; readonly fields: Payload };

/** Field of a payload. */
export type PayloadField = {
  readonly type: LeafType | ObjectType;
  readonly isList: boolean;
  /** True if the value can be `null`. */
  readonly isNullable: boolean;
  /** True if the field can be absent. */
  readonly isOptional: boolean;
  readonly description: string;
  /** Example value. Objects don't have an example, because it follows from their fields. */
  readonly example?: unknown;
  /** Unit of an amount: the smallest currency unit, or 1/10,000 of the currency unit. */
  readonly scale?: 'MINOR' | 'RATE';
  /** Name of the field in GraphQL. Only objects with their own identity have a field `id` in GraphQL. */
  readonly graphqlName?: string;
};

/** Fields of a payload, by name. */
export type Payload = { readonly [name: string]: PayloadField };

const field = (type: LeafType | ObjectType, description: string, example?: unknown): PayloadField => ({
  type,
  isList: false,
  isNullable: false,
  isOptional: false,
  description,
  example,
});

/** Returns an example ID with a prefix. */
const exampleId = (prefix: string): string => `${prefix}_1JNkcnXR6WYnGWJZKY8DeJ`;

export const id = (prefix: string, description: string): PayloadField =>
  field('ID', description, exampleId(prefix));

export const text = (description: string, example: string): PayloadField =>
  field('String', description, example);

export const flag = (description: string, example = true): PayloadField =>
  field('Boolean', description, example);

export const count = (description: string, example: number): PayloadField =>
  field('SafeInt', description, example);

/** Whole number that never exceeds 32 bits. */
export const int = (description: string, example: number): PayloadField => field('Int', description, example);

export const time = (description: string, example = '2026-08-27T09:30:00.000Z'): PayloadField =>
  field('DateTime', description, example);

export const oneOf = (type: LeafType, description: string, example: string): PayloadField =>
  field(type, description, example);

/** Amount in the smallest currency unit. */
export const minor = (description: string, example = 4_900): PayloadField => ({
  ...field('SafeInt', description, example),
  scale: 'MINOR',
});

/** Amount in 1/10,000 of the currency unit. */
export const rate = (description: string, example = 490_000): PayloadField => ({
  ...field('SafeInt', description, example),
  scale: 'RATE',
});

export const object = (type: ObjectType, description: string): PayloadField => field(type, description);

export const listOf = (of: PayloadField): PayloadField => ({ ...of, isList: true });

export const textMap = (description: string, example: object): PayloadField =>
  field('TextMap', description, example);

/** Allows `null`. `condition` completes the description, as in "`null` if the plan is free". */
export const orNull = (of: PayloadField, condition: string): PayloadField => ({
  ...of,
  isNullable: true,
  description: `${of.description} \`null\` if ${condition}.`,
});

/** Allows the field to be absent. `condition` completes the description, as in "Absent if the subscription has no period". */
export const orAbsent = (of: PayloadField, condition: string): PayloadField => ({
  ...of,
  isOptional: true,
  description: `${of.description} Absent if ${condition}.`,
});

/** Sets the name of a field in GraphQL. */
export const inGraphql = (graphqlName: string, of: PayloadField): PayloadField => ({ ...of, graphqlName });

/** Sets the example value of a field. */
export const like = (of: PayloadField, example: unknown): PayloadField => ({ ...of, example });

/** Returns an example of a payload. */
export const exampleOf = (payload: Payload): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(payload).map(([name, { type, isList, example }]) => {
      const value = typeof type === 'string' ? example : exampleOf(type.fields);
      return [name, isList ? [value] : value];
    }),
  );
