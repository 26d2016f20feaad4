import { type Language, languages } from '../../domain/text/language.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'compact' | 'cosy';

/** Display settings of a user. The service stores them, so that they apply to all browsers. */
export type Preferences = {
  readonly theme?: Theme;
  readonly density?: Density;
  readonly language?: Language;
  readonly hasShortcuts?: boolean;
  readonly isFolded?: boolean;
  /** Hidden columns of each list, by the name of its page. */
  readonly hiddenColumns?: Readonly<Record<string, readonly string[]>>;
};

const oneOf = <Name extends string, Value>(name: Name, value: unknown, known: readonly Value[]) =>
  known.includes(value as Value) ? ({ [name]: value } as Readonly<Record<Name, Value>>) : {};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Parses stored preferences. Ignores unknown and invalid values. */
export function preferencesFrom(kept: unknown): Preferences {
  if (!isRecord(kept)) return {};
  const columns = isRecord(kept['hiddenColumns']) ? kept['hiddenColumns'] : {};
  return {
    ...oneOf('theme', kept['theme'], ['system', 'light', 'dark'] as const),
    ...oneOf('density', kept['density'], ['compact', 'cosy'] as const),
    ...oneOf('language', kept['language'], languages),
    ...oneOf('hasShortcuts', kept['hasShortcuts'], [true, false]),
    ...oneOf('isFolded', kept['isFolded'], [true, false]),
    hiddenColumns: Object.fromEntries(
      Object.entries(columns).flatMap(([list, ids]) => (isTextList(ids) ? [[list, ids]] : [])),
    ),
  };
}
