import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { renameOrganization, useHasRole } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { ColorField } from '../../kit/color-field.tsx';
import { Form, FormActions, FormGrid } from '../../kit/form.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { CountryField } from '../../parts/country-field.tsx';
import type { Progress } from '../../parts/welcome/progress.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { WelcomeOrganizationUpdateDocument } from './page.graphql';

/** Default accent color. */
const initial = '#086a5e';

/** Form for the name, country and color of the organization. The settings contain more options, such as the logo. */
export function OrganizationStep({ organization }: Pick<Progress, 'organization'>) {
  const words = useWords('welcome');
  const isAdmin = useHasRole('admin');
  const [update, { isRunning, error }] = useAction(WelcomeOrganizationUpdateDocument);
  const draft = useDraft(
    {
      name: organization.name,
      country: organization.country ?? '',
      accentColor: organization.accentColor ?? '',
    },
    {
      isReady: ({ country }) => country !== '',
      send: async ({ name, country, accentColor }) => {
        const answer = await update({
          input: { name, country, accentColor: accentColor === '' ? null : accentColor },
        });
        if (!(answer instanceof ApiError)) renameOrganization(answer.organizationUpdate);
        return answer;
      },
    },
  );
  const field = (name: keyof typeof draft.values) => ({
    name,
    label: words.fields[name],
    value: draft.values[name],
    onChange: (value: string) => draft.change({ [name]: value }),
  });
  if (!isAdmin) return <Text color="muted">{words.adminOnly}</Text>;
  return (
    <Form draft={draft} errors={error?.details ?? []}>
      <FormGrid>
        <TextField {...field('name')} maxLength={200} isRequired />
        <CountryField {...field('country')} />
        <ColorField {...field('accentColor')} initial={initial} isOptional />
      </FormGrid>
      {error?.details.length === 0 && <Rejection error={error} />}
      <FormActions>
        <Button type="submit" kind="primary" isDisabled={!draft.isReady} isPending={isRunning}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}
