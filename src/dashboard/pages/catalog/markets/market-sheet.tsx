import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { type MarketCountries, takenCountries } from '../../../parts/catalog/model/place.ts';
import type { catalog } from '../../../words/en/catalog.ts';
import type { markets as marketWords } from '../../../words/en/markets.ts';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { CountryPicker } from './country-picker.tsx';
import {
  CatalogMarketCreateDocument,
  CatalogMarketDeleteDocument,
  CatalogMarketUpdateDocument,
} from './page.graphql';

type MarketSheetProps = {
  /** Null for a new one. */
  readonly market: MarketCountries | null;
  readonly markets: readonly MarketCountries[];
  readonly countries: readonly {
    readonly code: string;
    readonly name: string;
    readonly currency: string | null;
  }[];
  /** Prices that have an amount for it. */
  readonly priceCount: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Makes a market, or edits or deletes one. */
export function MarketSheet({ market, markets, countries, priceCount, onClose, onDone }: MarketSheetProps) {
  const words = useWords<typeof marketWords>('markets');
  const common = useWords<typeof catalog>('catalog');
  const [name, setName] = useState(market?.name ?? '');
  const [codes, setCodes] = useState<readonly string[]>(market?.countryCodes ?? []);
  const [create, creating] = useAction(CatalogMarketCreateDocument);
  const [update, updating] = useAction(CatalogMarketUpdateDocument);
  const [remove, removing] = useAction(CatalogMarketDeleteDocument);
  const isChanged = name !== (market?.name ?? '') || codes.join() !== (market?.countryCodes ?? []).join();
  const save = async () => {
    const values = { name, countryCodes: [...codes] };
    const result =
      market === null
        ? await create({ input: values })
        : await update({ input: { id: market.id, ...values } });
    if (!(result instanceof ApiError)) onDone();
  };
  const confirm = async () => {
    if (market === null) return;
    if (!((await remove({ input: { id: market.id } })) instanceof ApiError)) onDone();
  };
  return (
    <EditSheet
      title={market?.name ?? words.new}
      save={market === null ? words.create : common.verbs.save}
      isReady={name.trim() !== '' && codes.length > 0 && isChanged}
      isChanged={isChanged}
      isRunning={creating.isRunning || updating.isRunning}
      error={creating.error ?? updating.error}
      onSave={() => void save()}
      onClose={onClose}
      others={
        market !== null && (
          <DeleteButton
            title={words.deleteTitle(market.name)}
            text={words.deleteText}
            state={removing}
            onConfirm={() => void confirm()}
            isDisabled={priceCount > 0}
          />
        )
      }
    >
      <Stack gap={4}>
        <TextField
          label={common.name}
          name="name"
          value={name}
          onChange={setName}
          maxLength={200}
          autoFocus
        />
        {market !== null && (
          <Text color="muted">{priceCount === 0 ? words.unused : words.usedBy(priceCount)}</Text>
        )}
        <CountryPicker
          countries={countries}
          chosen={codes}
          taken={takenCountries(markets, market?.id ?? null)}
          onChange={setCodes}
        />
        {market !== null && isChanged && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </EditSheet>
  );
}
