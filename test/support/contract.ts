import enumsJson from '../contract/enums.json' with { type: 'json' };
import errorsJson from '../contract/errors.json' with { type: 'json' };
import operationsJson from '../contract/operations.json' with { type: 'json' };
import resourcesJson from '../contract/resources.json' with { type: 'json' };

// Reads the REST API contract from test/contract, and compares values with it.

/** Type of a value, in the contract's notation. */
export type Shape = {
  readonly type: string;
  readonly nullable?: boolean;
  readonly fields?: readonly Field[];
  readonly items?: Shape;
  readonly values?: Shape;
  /** Variants of a union, discriminated by `type` or `outcome`. */
  readonly variants?: readonly {
    readonly type?: string;
    readonly outcome?: string;
    readonly fields: readonly Field[];
  }[];
  readonly ref?: string;
  readonly format?: string;
  readonly integral?: boolean;
  readonly enum?: readonly string[];
  readonly enumRef?: string;
  readonly const?: unknown;
  readonly constraints?: Constraints;
};

/** Named field of an object, query string, or body. */
export type Field = Shape & { readonly name: string; readonly required: boolean };

/** An input's validation rules. The field `basis` names the source of the rules. */
type Constraints = Readonly<Record<string, unknown>>;

/** Documented error, or a reference to a set of errors. */
type DocumentedError = {
  readonly code?: string;
  readonly status?: number;
  readonly ref?: string;
  readonly note?: string;
};

export type ContractOperation = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly pathParams: readonly { readonly name: string }[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  readonly idempotent: boolean;
  /** Name of a resource, such as `Customer` or `list<Customer>`. */
  readonly returns: string;
  readonly returnsObject?: string;
  readonly returnsNullable?: boolean;
  readonly statusCode: number | 'unknown';
  readonly statusCodeSuggested?: number;
  readonly statusCodeAlternative?: { readonly status: number };
  readonly sandboxOnly?: boolean;
  readonly errors: readonly DocumentedError[];
};

type Resource = {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly variants?: Shape['variants'];
};
type ErrorCode = { readonly code: string; readonly status: number; readonly type: string };

// The cast is needed because the types inferred for the JSON import are too narrow.
export const operations = operationsJson as unknown as readonly ContractOperation[];
const enums = enumsJson as unknown as Readonly<Record<string, { readonly values: readonly string[] }>>;
export const errorCodes = errorsJson.codes as unknown as readonly ErrorCode[];
const resources = new Map(
  (resourcesJson as unknown as readonly Resource[]).map((resource) => [resource.name, resource]),
);

/** Returns an operation's name: its method and path. */
export const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

/** Sets of error codes that operations in the contract share. */
const shared = {
  always: ['unauthorized', 'forbidden', 'rate_limited', 'internal_error'],
  keyed: ['invalid_json', 'idempotency_in_progress', 'idempotency_key_mismatch', 'idempotency_unavailable'],
} as const;

/** Error codes that don't depend on the operation. */
export const commonCodes: ReadonlySet<string> = new Set([
  ...shared.always,
  ...shared.keyed,
  'validation_error',
  'sandbox_only',
]);

/** Returns the error codes that the contract documents for an operation. */
export const documentedCodes = ({ errors }: ContractOperation): string[] =>
  errors.flatMap(({ ref, code }) =>
    ref === 'common' ? [...shared.always] : code === undefined ? [] : [code],
  );

/** Returns a resource's shape. Throws if the contract doesn't contain the resource. */
export function resourceShape(name: string): Shape {
  const resource = resources.get(name);
  if (resource === undefined) throw new Error(`The contract has no resource ${name}.`);
  // Uses only the variants, because each variant lists its complete set of fields.
  if (resource.variants !== undefined) return { type: 'union', variants: resource.variants };
  return { type: 'object', fields: resource.fields };
}

/** Returns the name of the resource that an operation returns, without the list envelope. */
export const returnedResource = ({ returns }: ContractOperation): string =>
  /^list<(\w+)>$/.exec(returns)?.[1] ?? returns;

/** True if the operation returns a list envelope. */
export const isList = ({ returns }: ContractOperation): boolean => returns.startsWith('list<');

export function answerShape(operation: ContractOperation): Shape {
  const shape = resourceShape(returnedResource(operation));
  if (!isList(operation)) return { ...shape, nullable: operation.returnsNullable === true };
  const envelope = resourceShape('List').fields ?? [];
  return {
    type: 'object',
    fields: envelope.map((field) => (field.name === 'data' ? { ...field, items: shape } : field)),
  };
}

/** Returns an operation's success statuses, including the status of an alternative result. */
export const successStatuses = (operation: ContractOperation): number[] => {
  const { statusCode, statusCodeSuggested, statusCodeAlternative } = operation;
  const status = statusCode === 'unknown' ? statusCodeSuggested : statusCode;
  if (status === undefined) throw new Error(`${nameOf(operation)} has no status.`);
  return statusCodeAlternative === undefined
    ? [status]
    : [statusCodeAlternative.status, status].sort((a, b) => a - b);
};

/** Returns a closed enum's values. `null` if the shape isn't an enum. */
export const valuesOf = (shape: Shape): readonly string[] | null =>
  shape.enum ?? (shape.enumRef === undefined ? null : (enums[shape.enumRef]?.values ?? null));

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => instant.test(text) && new Date(text).toISOString() === text,
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => URL.canParse(text),
};

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Returns the problem with a scalar value. `null` if it's valid. */
function scalarProblem(shape: Shape, value: unknown): string | null {
  const expected = shape.type === 'integer' ? 'number' : shape.type;
  if (typeOf(value) !== expected) return `is ${typeOf(value)}, not ${shape.type}`;
  if (shape.const !== undefined && value !== shape.const)
    return `is ${JSON.stringify(value)}, not ${JSON.stringify(shape.const)}`;
  const isWhole = shape.type === 'integer' || shape.integral === true;
  if (isWhole && !Number.isSafeInteger(value)) return `is ${value}, no safe whole number`;
  const values = valuesOf(shape);
  if (values !== null && !values.includes(String(value)))
    return `is ${JSON.stringify(value)}, none of ${values.join(', ')}`;
  const isOfFormat = shape.format === undefined ? undefined : formats[shape.format];
  return isOfFormat === undefined || isOfFormat(String(value))
    ? null
    : `is ${JSON.stringify(value)}, no ${shape.format}`;
}

function objectProblems(fields: readonly Field[], value: object, path: string): string[] {
  const members = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(members).filter((name) => !fields.some((field) => field.name === name));
  return [
    ...unknown.map((name) => `${path}.${name} is not documented`),
    ...fields.flatMap((field) => {
      if (field.name in members) return problemsOf(field, members[field.name], `${path}.${field.name}`);
      return field.required ? [`${path}.${field.name} is missing`] : [];
    }),
  ];
}

function unionProblems(shape: Shape, value: object, path: string): string[] {
  const { type, outcome } = value as { type?: unknown; outcome?: unknown };
  const variant = shape.variants?.find(
    (candidate) => (candidate.outcome ?? candidate.type) === (outcome ?? type),
  );
  return variant === undefined
    ? [`${path} is of no documented variant: ${JSON.stringify(type)}`]
    : objectProblems(variant.fields, value, path);
}

/**
 * Returns the differences between a value and a shape: wrong types, unexpected nulls, invalid enum values and formats, and missing or
 * undocumented fields.
 */
export function problemsOf(shape: Shape, value: unknown, path = '$'): string[] {
  if (shape.ref !== undefined)
    return problemsOf({ ...resourceShape(shape.ref), nullable: shape.nullable === true }, value, path);
  if (value === null) return shape.nullable === true || shape.type === 'any' ? [] : [`${path} is null`];
  if (shape.type === 'any') return [];
  if (shape.type === 'array') {
    const { items } = shape;
    if (!Array.isArray(value)) return [`${path} is no array`];
    return items === undefined
      ? []
      : value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`));
  }
  if (shape.type !== 'object' && shape.type !== 'map' && shape.type !== 'union') {
    const problem = scalarProblem(shape, value);
    return problem === null ? [] : [`${path} ${problem}`];
  }
  if (typeOf(value) !== 'object') return [`${path} is ${typeOf(value)}, not ${shape.type}`];
  if (shape.type === 'union') return unionProblems(shape, value as object, path);
  if (shape.fields !== undefined) return objectProblems(shape.fields, value as object, path);
  const { values } = shape;
  return values === undefined
    ? []
    : Object.entries(value as object).flatMap(([name, member]) =>
        problemsOf(values, member, `${path}.${name}`),
      );
}
