import { useAction } from '../../../data/hooks.ts';
import { NumberField } from '../../../kit/number-field.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { CountryField } from '../../../parts/country-field.tsx';
import { notify } from '../../../shell/notices.ts';
import { useWords } from '../../../words/words.ts';
import { SettingsTaxCreateDocument } from '../taxes.graphql';
import { FormDialog } from './form-dialog.tsx';

type TaxDialogProps = { readonly onClose: () => void; readonly onDone: () => void };

/**
 * Dialog that adds a tax registration for a country or region. Later invoices to customers there include tax.
 */
export function TaxDialog({ onClose, onDone }: TaxDialogProps) {
  const words = useWords('taxes');
  const [create, { isRunning, error }] = useAction(SettingsTaxCreateDocument);
  const draft = useDraft(
    { country: '', region: '', percent: Number.NaN },
    {
      isReady: ({ country }) => country !== '',
      send: ({ country, region, percent }) =>
        create({
          input: {
            country,
            region: region.trim() === '' ? null : region.trim(),
            rateBps: Number.isNaN(percent) ? null : Math.round(percent * 100),
          },
        }),
      onDone: () => {
        notify(words.created);
        onDone();
      },
    },
  );
  const { field } = draft;
  return (
    <FormDialog
      title={words.add}
      save={words.create}
      error={error}
      isRunning={isRunning}
      draft={draft}
      onClose={onClose}
    >
      <CountryField label={words.country} {...field('country')} />
      <TextField name="region" label={words.region} help={words.regionHelp} {...field('region')} isOptional />
      <NumberField
        name="rateBps"
        label={words.rate}
        help={words.rateHelp}
        {...field('percent')}
        minValue={0}
        maxValue={100}
        step={0.01}
        formatOptions={{ maximumFractionDigits: 2 }}
        after="%"
        isOptional
      />
    </FormDialog>
  );
}
