import { useState } from 'react';
import { Tag } from '../../../kit/badge.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { SearchField } from '../../../kit/text-field.tsx';
import type { markets } from '../../../words/en/markets.ts';
import { useWords } from '../../../words/words.ts';

type Country = { readonly code: string; readonly name: string; readonly currency: string | null };

type CountryPickerProps = {
  readonly countries: readonly Country[];
  readonly chosen: readonly string[];
  /** Countries of other markets, with the name of theirs. */
  readonly taken: ReadonlyMap<string, string>;
  readonly onChange: (codes: readonly string[]) => void;
};

/** Countries of a market. Those of other markets are shown with the market they are in, and cannot be chosen. */
export function CountryPicker({ countries, chosen, taken, onChange }: CountryPickerProps) {
  const words = useWords<typeof markets>('markets');
  const [search, setSearch] = useState('');
  const text = search.trim().toLocaleLowerCase();
  const shown = countries.filter(
    ({ name, code }) => name.toLocaleLowerCase().includes(text) || code.toLocaleLowerCase() === text,
  );
  const names = new Map(countries.map(({ code, name }) => [code, name]));
  return (
    <Stack gap={3}>
      <Text weight="medium">{words.countries(chosen.length)}</Text>
      <Row gap={1}>
        {chosen.map((code) => (
          <Tag
            key={code}
            label={names.get(code) ?? code}
            onRemove={() => onChange(chosen.filter((one) => one !== code))}
          />
        ))}
      </Row>
      <SearchField label={words.searchCountry} value={search} onChange={setSearch} />
      {shown.length === 0 && <Text color="muted">{words.noCountry}</Text>}
      <Stack gap={2}>
        {shown.slice(0, text === '' ? 300 : 50).map(({ code, name, currency }) => {
          const market = taken.get(code);
          return (
            <Checkbox
              key={code}
              isSelected={chosen.includes(code)}
              isDisabled={market !== undefined}
              onChange={(isChosen) =>
                onChange(isChosen ? [...chosen, code] : chosen.filter((one) => one !== code))
              }
              help={market === undefined ? (currency?.toUpperCase() ?? 'USD') : words.takenBy(market)}
            >
              {name}
            </Checkbox>
          );
        })}
      </Stack>
    </Stack>
  );
}
