import { useState } from 'react';
import { Tag } from '../../../kit/badge.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { SearchField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';

type Country = { readonly code: string; readonly name: string; readonly currency: string | null };

type CountryPickerProps = {
  readonly countries: readonly Country[];
  readonly chosen: readonly string[];
  /** Countries of other markets, mapped to the names of those markets. */
  readonly taken: ReadonlyMap<string, string>;
  readonly onChange: (codes: readonly string[]) => void;
};

/** Selects the countries of a market. Countries of other markets are listed with their market and can't be selected. */
export function CountryPicker({ countries, chosen, taken, onChange }: CountryPickerProps) {
  const words = useWords('markets');
  const [search, setSearch] = useState('');
  const text = search.trim().toLocaleLowerCase();
  const shown = countries.filter(
    ({ name, code }) => name.toLocaleLowerCase().includes(text) || code.toLocaleLowerCase() === text,
  );
  const names = new Map(countries.map(({ code, name }) => [code, name]));
  return (
    <Stack gap={3}>
      <Text weight="medium">{words.countries({ count: chosen.length })}</Text>
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
              help={market === undefined ? (currency?.toUpperCase() ?? 'USD') : words.takenBy({ market })}
            >
              {name}
            </Checkbox>
          );
        })}
      </Stack>
    </Stack>
  );
}
