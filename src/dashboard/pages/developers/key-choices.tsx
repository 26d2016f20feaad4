import { routeOf } from '../../address.ts';
import { base, environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { RadioGroup } from '../../kit/choice.tsx';
import { Segments } from '../../kit/segments.tsx';
import { useWords } from '../../words/words.ts';

const presets = ['builder', 'reader', 'metering', 'support', 'catalog_agent'] as const;
export type Preset = (typeof presets)[number];

/** Returns the default preset. */
export const firstPreset = (isLive: boolean): Preset => (isLive ? 'reader' : 'builder');

type PresetChoiceProps = { readonly value: Preset; readonly onChange: (preset: Preset) => void };

/** Lists the presets of API keys in the current environment. */
export function PresetChoice({ value, onChange }: PresetChoiceProps) {
  const words = useWords('device');
  const isLive = useStore(environment) === 'live';
  return (
    <RadioGroup
      label={words.permissions}
      value={value}
      onChange={(chosen) => onChange(chosen as Preset)}
      options={presets
        .filter((each) => !isLive || each !== 'builder')
        .map((each) => ({ value: each, label: words.preset[each], help: words.presetAbout[each] }))}
      look="cards"
    />
  );
}

const environments = ['sandbox', 'live'] as const;

type EnvironmentChoiceProps = {
  readonly page: 'device' | 'connect';
  readonly query: Readonly<Record<string, string>>;
};

/** Links to the same page in each environment. */
export function EnvironmentChoice({ page, query }: EnvironmentChoiceProps) {
  const words = useWords('device');
  return (
    <Segments
      label={words.environment}
      selected={useStore(environment)}
      items={environments.map((each) => ({
        id: each,
        label: words[each],
        href: `${base}/dashboard/${each}${routeOf(page).path}?${new URLSearchParams(query)}`,
      }))}
    />
  );
}
