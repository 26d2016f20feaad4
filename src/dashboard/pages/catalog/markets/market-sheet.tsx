import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { type MarketCountries, takenCountries } from '../../../parts/catalog/model/place.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, NameField } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import { CountryPicker } from './country-picker.tsx';
import {
  CatalogMarketCreateDocument,
  CatalogMarketDeleteDocument,
  CatalogMarketUpdateDocument,
} from './page.graphql';

type MarketSheetProps = {
  /** Market to edit. `null` to create a market. */
  readonly market: MarketCountries | null;
  readonly markets: readonly MarketCountries[];
  readonly countries: readonly {
    readonly code: string;
    readonly name: string;
    readonly currency: string | null;
  }[];
  /** Number of prices that have an amount for the market. */
  readonly priceCount: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes a market. */
export function MarketSheet({ market, markets, countries, priceCount, onClose, onDone }: MarketSheetProps) {
  const words = useWords('markets');
  const edit = useCatalogEdit(market?.id ?? null, {
    create: CatalogMarketCreateDocument,
    update: CatalogMarketUpdateDocument,
    remove: CatalogMarketDeleteDocument,
    stored: { name: market?.name ?? '', codes: market?.countryCodes ?? [] },
    isReady: ({ name, codes }) => name.trim() !== '' && codes.length > 0,
    inputOf: ({ name, codes }) => {
      const input = { name, countryCodes: [...codes] };
      return { create: input, update: input };
    },
    onDone,
  });
  const { values, change, isChanged, field } = edit.draft;
  return (
    <CatalogSheet
      edit={edit}
      title={market?.name ?? words.new}
      create={words.create}
      deletion={{
        title: words.deleteTitle({ name: market?.name ?? '' }),
        texts: [words.deleteText],
        isDisabled: priceCount > 0,
      }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField {...field('name')} />
        {market !== null && (
          <Text color="muted">{priceCount === 0 ? words.unused : words.usedBy({ count: priceCount })}</Text>
        )}
        <CountryPicker
          countries={countries}
          chosen={values.codes}
          taken={takenCountries(markets, market?.id ?? null)}
          onChange={(codes) => change({ codes })}
        />
        {market !== null && isChanged && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
