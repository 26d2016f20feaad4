import { sortedCountries } from '../../../ui/format/names.ts';
import { Checkbox } from '../../kit/choice.tsx';
import { FormGrid, FormWide } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { ComboBox } from '../../kit/select.tsx';
import { TextArea, TextField } from '../../kit/text-field.tsx';
import { useCountries } from '../../parts/countries.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { type CustomerForm, metadataOf } from './customer-input.ts';

type Props = {
  readonly form: CustomerForm;
  readonly change: (part: Partial<CustomerForm>) => void;
};

const zones = Intl.supportedValuesOf('timeZone');

function AddressFields({ form, change }: Props) {
  const { form: words } = useCustomerWords();
  const { locale } = useKit();
  const countries = sortedCountries(useCountries(), locale);
  const text = (name: 'line1' | 'line2' | 'city' | 'state' | 'postalCode', isOptional = false) => (
    <TextField
      name={name}
      label={words[name]}
      isOptional={isOptional}
      value={form[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <FormGrid>
      <FormWide>{text('line1')}</FormWide>
      <FormWide>{text('line2', true)}</FormWide>
      {text('city')}
      {text('postalCode')}
      {text('state', true)}
      <ComboBox
        name="country"
        label={words.country}
        options={countries.map(({ code, name }) => ({ value: code, label: name }))}
        value={form.country === '' ? null : form.country}
        onChange={(country) => change({ country: country ?? '' })}
      />
    </FormGrid>
  );
}

export function CustomerFields({ form, change }: Props) {
  const { form: words } = useCustomerWords();
  return (
    <Stack gap={4}>
      <TextField
        name="email"
        type="email"
        label={words.email}
        autoFocus
        value={form.email}
        onChange={(email) => change({ email })}
      />
      <TextField
        name="fullName"
        label={words.name}
        isOptional
        maxLength={300}
        value={form.fullName}
        onChange={(fullName) => change({ fullName })}
      />
      <TextField
        name="externalId"
        label={words.externalId}
        help={words.externalIdHelp}
        isOptional
        code
        value={form.externalId}
        onChange={(externalId) => change({ externalId })}
      />
      <TextField
        name="taxDocument"
        label={words.taxDocument}
        isOptional
        value={form.taxDocument}
        onChange={(taxDocument) => change({ taxDocument })}
      />
      <ComboBox
        name="timezone"
        label={words.timezone}
        help={words.timezoneHelp}
        isOptional
        options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        value={form.timezone === '' ? null : form.timezone}
        onChange={(timezone) => change({ timezone: timezone ?? '' })}
      />
      <Checkbox isSelected={form.hasAddress} onChange={(hasAddress) => change({ hasAddress })}>
        {words.hasAddress}
      </Checkbox>
      {form.hasAddress && <AddressFields form={form} change={change} />}
      <TextArea
        name="metadata"
        label={words.metadata}
        isOptional
        code
        error={metadataOf(form.metadata) === null ? words.metadataWrong : undefined}
        value={form.metadata}
        onChange={(metadata) => change({ metadata })}
      />
    </Stack>
  );
}
