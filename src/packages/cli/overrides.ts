import { UsageError } from './output.ts';

// Option `--override`: values that replace fields, such as `customerId=ada,amount=0`.

export const overrideOption = {
  type: 'string',
  valueHint: 'FIELDS',
} as const;

/** Values by path, such as `customer.email`. */
export type Overrides = ReadonlyMap<string, unknown>;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the text of the value at the start of a text. The value ends at the first comma. A JSON object, list, or string can contain
 * commas, so it ends at the first comma after valid JSON.
 */
function valueAt(text: string, path: string): string {
  const ends = [...text.matchAll(/,|$/g)].map(({ index }) => index);
  if (!/^\s*["{[]/.test(text)) return text.slice(0, ends[0]);
  const end = ends.find((index) => isJson(text.slice(0, index)));
  if (end === undefined) throw new UsageError(`--override must contain valid JSON for ${path}.`);
  return text.slice(0, end);
}

/** Reads the option `--override`. A value is JSON, or a text that isn't JSON. */
export function overridesIn(option: string | undefined): Overrides {
  const overrides = new Map<string, unknown>();
  for (let rest = option; rest !== undefined; ) {
    const [, path, text] = /^([\w.]+)=(.*)$/s.exec(rest) ?? [];
    if (path === undefined || text === undefined)
      throw new UsageError(
        `--override must contain fields and values, such as amount=0, instead of ${rest.split(',')[0]}.`,
      );
    const value = valueAt(text, path);
    overrides.set(path, isJson(value) ? JSON.parse(value) : value);
    rest = value.length === text.length ? undefined : text.slice(value.length + 1);
  }
  return overrides;
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
