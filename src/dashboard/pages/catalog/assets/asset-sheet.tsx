import type { ResultOf } from '../../../../ui/documents.ts';
import { numberText } from '../../../../ui/format/numbers.ts';
import { Copy } from '../../../kit/copy.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { NumberField } from '../../../kit/number-field.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, CodeField, NameField, renamed } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogAssetArchiveDocument,
  CatalogAssetCreateDocument,
  type CatalogAssetsDocument,
  CatalogAssetUpdateDocument,
} from './page.graphql';

const mostDecimals = 6;

type AssetSheetProps = {
  /** Unit to edit. `null` to create a unit. */
  readonly asset: ResultOf<typeof CatalogAssetsDocument>['assets'][number] | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, renames or archives a custom unit. */
export function AssetSheet({ asset, onClose, onDone }: AssetSheetProps) {
  const words = useWords('assets');
  const { locale } = useKit();
  const edit = useCatalogEdit(asset?.code ?? null, {
    key: 'code',
    create: CatalogAssetCreateDocument,
    update: CatalogAssetUpdateDocument,
    remove: CatalogAssetArchiveDocument,
    stored: {
      name: asset?.name ?? '',
      code: asset?.code ?? '',
      symbol: asset?.symbol ?? '',
      decimals: asset?.decimals ?? 0,
    },
    isReady: ({ name, code }) => name.trim() !== '' && code !== '',
    inputOf: ({ name, code, symbol, decimals }) => ({
      create: { name, code, decimals, ...(symbol !== '' && { symbol }) },
      update: { name, symbol: symbol || null },
    }),
    onDone,
  });
  const { values, change, field } = edit.draft;
  const smallest = numberText(10 ** -values.decimals, locale, mostDecimals);
  return (
    <CatalogSheet
      edit={asset?.archivedAt ? { ...edit, deletion: null } : edit}
      title={asset?.name ?? words.new}
      {...(asset !== null && { subtitle: <Copy value={asset.code} /> })}
      create={words.create}
      deletion={{
        label: words.archive,
        title: words.archiveTitle({ name: asset?.name ?? '' }),
        texts: [words.archiveText],
      }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField
          value={values.name}
          help={words.nameHelp}
          autoFocus
          onChange={(name) => change(asset === null ? renamed(values, name) : { name })}
        />
        {asset === null && <CodeField {...field('code')} />}
        <TextField
          label={words.symbol}
          name="symbol"
          help={words.symbolHelp}
          isOptional
          maxLength={8}
          {...field('symbol')}
        />
        {asset === null && (
          <NumberField
            label={words.decimals}
            name="decimals"
            help={words.decimalsHelp({ amount: smallest })}
            value={values.decimals}
            minValue={0}
            maxValue={mostDecimals}
            onChange={(decimals) => change({ decimals: Number.isNaN(decimals) ? 0 : decimals })}
          />
        )}
        {asset !== null && <Text color="muted">{words.fixed({ amount: smallest })}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
