import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { NumberField } from '../../../kit/number-field.tsx';
import { TextField } from '../../../kit/text-field.tsx';
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
  const [country, setCountry] = useState('');
  const [region, setRegion] = useState('');
  const [percent, setPercent] = useState(Number.NaN);
  const [create, { isRunning, error }] = useAction(SettingsTaxCreateDocument);
  const send = async () => {
    const answer = await create({
      input: {
        country,
        region: region.trim() === '' ? null : region.trim(),
        rateBps: Number.isNaN(percent) ? null : Math.round(percent * 100),
      },
    });
    if (answer instanceof ApiError) return;
    notify(words.created);
    onDone();
  };
  return (
    <FormDialog
      title={words.add}
      save={words.create}
      error={error}
      isRunning={isRunning}
      isReady={country !== ''}
      onSave={() => void send()}
      onClose={onClose}
    >
      <CountryField label={words.country} value={country} onChange={setCountry} />
      <TextField
        name="region"
        label={words.region}
        help={words.regionHelp}
        value={region}
        onChange={setRegion}
        isOptional
      />
      <NumberField
        name="rateBps"
        label={words.rate}
        help={words.rateHelp}
        value={percent}
        onChange={setPercent}
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
