import { UsageError } from './output.ts';

// Option `--override`: values that replace fields, such as `customerId=ada,amount=0`.

export const overrideOption = {
  type: 'string',
  valueHint: 'FIELDS',
} as const;

/** Values by path, such as `customer.email`. */
export type Overrides = ReadonlyMap<string, unknown>;

/** Returns the value of an option: JSON, or a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the option `--override`. */
export function overridesIn(option: string | undefined): Overrides {
  const parts = option === undefined ? [] : option.split(',');
  return new Map(
    parts.map((part) => {
      const [, path, text] = /^([\w.]+)=(.*)$/s.exec(part) ?? [];
      if (path === undefined || text === undefined)
        throw new UsageError(
          `--override must contain fields and values, such as amount=0, instead of ${part}.`,
        );
      return [path, parsed(text)];
    }),
  );
}

/** Returns a copy of a payload with replaced values. Fields that the payload doesn't contain aren't added. */
export function overridden(payload: unknown, overrides: Overrides, prefix = ''): unknown {
  if (overrides.size === 0 || typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      const path = `${prefix}${name}`;
      return [name, overrides.has(path) ? overrides.get(path) : overridden(value, overrides, `${path}.`)];
    }),
  );
}

/** Returns the overrides of an object: the fields below its name. */
export const overridesOf = (overrides: Overrides, object: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...overrides]
      .filter(([path]) => path.startsWith(`${object}.`))
      .map(([path, value]) => [path.slice(object.length + 1), value]),
  );
