import { dayStart } from '../../../../ui/format/dates.ts';
import { currencySign } from '../../../../ui/format/money.ts';
import { useAction } from '../../../data/hooks.ts';
import { Callout } from '../../../kit/callout.tsx';
import { DateField } from '../../../kit/date-field.tsx';
import { FormGrid } from '../../../kit/form.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { DecimalField } from '../../../parts/catalog/decimal-field.tsx';
import { useWords } from '../../../words/words.ts';
import { EditSheet } from '../parts/edit-sheet.tsx';
import type { TokenClassName } from './class-price.tsx';
import { CatalogAiModelPriceSetDocument, type PriceBandFragment } from './page.graphql';

/** Token classes with the names of their fields in the input. */
const fields = {
  input: 'input',
  output: 'output',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  cache_write_1h: 'cacheWrite1h',
  reasoning: 'reasoning',
  audio_input: 'audioInput',
  image_input: 'imageInput',
  audio_output: 'audioOutput',
  image_output: 'imageOutput',
} as const satisfies Readonly<Record<TokenClassName, string>>;

const classes = Object.keys(fields) as readonly TokenClassName[];

/** Returns the classes that have a price, as fields of the input. The text of an invalid price reaches the service, which rejects it. */
const pricesOf = (prices: Readonly<Record<TokenClassName, string>>) =>
  Object.fromEntries(classes.flatMap((name) => (prices[name] === '' ? [] : [[fields[name], prices[name]]])));

type PriceSheetProps = {
  /** ID of the model. `null` to add a model. */
  readonly id: string | null;
  /** Current prices of the model. */
  readonly bands: readonly PriceBandFragment[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that sets the environment's own prices of a model, or adds a model. */
export function PriceSheet({ id, bands, onClose, onDone }: PriceSheetProps) {
  const words = useWords('models');
  const { locale } = useKit();
  const [set, saving] = useAction(CatalogAiModelPriceSetDocument);
  const priceOf = (name: TokenClassName): string =>
    bands[0]?.classes.find((one) => one.class === name)?.price ?? '';
  const stored = {
    model: id ?? '',
    from: null as string | null,
    ...(Object.fromEntries(classes.map((name) => [name, priceOf(name)])) as Record<TokenClassName, string>),
  };
  const draft = useDraft(stored, {
    isReady: ({ model, input, output }) => model.trim() !== '' && input !== '' && output !== '',
    send: ({ model, from, ...prices }) =>
      set({
        input: {
          id: model.trim(),
          prices: { input: prices.input, output: prices.output, ...pricesOf(prices) },
          ...(from !== null && { validFrom: dayStart(from) }),
        },
      }),
    onDone,
  });
  const { values, change, field } = draft;
  return (
    <EditSheet
      title={id === null ? words.newModel : words.setPrices}
      save={words.save}
      {...saving}
      draft={draft}
      onClose={onClose}
    >
      <Stack gap={4}>
        {id === null && (
          <TextField label={words.id} help={words.idHelp} name="id" maxLength={200} {...field('model')} />
        )}
        {bands.length > 1 && <Callout tone="warning">{words.replacesRanges}</Callout>}
        <FormGrid>
          {classes.map((name) => (
            <DecimalField
              key={name}
              label={words.classes[name]}
              name={`prices.${fields[name]}`}
              before={currencySign('usd', locale)}
              isOptional={name !== 'input' && name !== 'output'}
              value={values[name]}
              onChange={(price) => change({ [name]: price })}
            />
          ))}
        </FormGrid>
        <DateField name="validFrom" label={words.from} help={words.fromHelp} isOptional {...field('from')} />
      </Stack>
    </EditSheet>
  );
}
