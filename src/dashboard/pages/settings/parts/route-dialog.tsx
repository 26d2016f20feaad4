import { useAction } from '../../../data/hooks.ts';
import { Select } from '../../../kit/select.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { CountryField } from '../../../parts/country-field.tsx';
import { notify } from '../../../shell/notices.ts';
import { useWords } from '../../../words/words.ts';
import { SettingsRouteSetDocument } from '../providers.graphql';
import { FormDialog } from './form-dialog.tsx';
import type { Account } from './provider-dialog.tsx';

type RouteDialogProps = {
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that selects the payment account for new checkouts in a country. */
export function RouteDialog({ accounts, onClose, onDone }: RouteDialogProps) {
  const words = useWords('providers');
  const [set, { isRunning, error }] = useAction(SettingsRouteSetDocument);
  const draft = useDraft(
    { country: '', provider: accounts[0]?.id ?? 'platform' },
    {
      isReady: ({ country }) => country !== '',
      send: (input) => set({ input }),
      onDone: () => {
        notify(words.routed);
        onDone();
      },
    },
  );
  const { field } = draft;
  return (
    <FormDialog
      title={words.addRoute}
      save={words.saveRoute}
      error={error}
      isRunning={isRunning}
      draft={draft}
      onClose={onClose}
    >
      <CountryField label={words.country} help={words.countryHelp} {...field('country')} />
      <Select
        name="provider"
        label={words.goesTo}
        {...field('provider')}
        options={[
          ...accounts.map(({ id, name }) => ({ value: id, label: name })),
          { value: 'platform', label: words.platform },
        ]}
      />
    </FormDialog>
  );
}
