import type { ReactNode } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { renameOrganization } from '../../../data/viewer.ts';
import { Button } from '../../../kit/button.tsx';
import { Form, FormActions } from '../../../kit/form.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Page } from '../../../kit/page.tsx';
import { Loading } from '../../../kit/states.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { DataError } from '../../../shell/data-error.tsx';
import { notify } from '../../../shell/notices.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { OrganizationSettingsDocument, OrganizationSettingsUpdateDocument } from '../settings.graphql';
import { changesOf } from '../settings-input.ts';

export type OrganizationSettings = ResultOf<typeof OrganizationSettingsDocument>['organization'];

export type Draft<Values> = {
  readonly values: Values;
  readonly change: (part: Partial<Values>) => void;
  readonly organization: OrganizationSettings;
};

type Parts<Values> = {
  readonly title: string;
  readonly text: string;
  /** Returns the initial form values of an organization. */
  readonly read: (organization: OrganizationSettings) => Values;
  /** Converts changed values to mutation input. By default, the values are sent unchanged. */
  readonly write?: (changes: Partial<Values>) => Readonly<Record<string, unknown>>;
  readonly children: (draft: Draft<Values>) => ReactNode;
  /** Content below the form. */
  readonly below?: (organization: OrganizationSettings) => ReactNode;
};

function SettingsForm<Values extends object>({
  organization,
  read,
  write = (changes) => ({ ...changes }),
  children,
}: Parts<Values> & { readonly organization: OrganizationSettings }) {
  const words = useWords('settings');
  const [update, { isRunning, error }] = useAction(OrganizationSettingsUpdateDocument);
  const stored = read(organization);
  const draft = useDraft(stored, {
    needsChange: true,
    send: (values) => update({ input: write(changesOf(stored, values)) }),
    onDone: (answer) => {
      renameOrganization(answer.organizationUpdate);
      draft.reset();
      notify(words.saved);
    },
  });
  const { values, change } = draft;
  return (
    <Form draft={draft} errors={error?.details ?? []}>
      <Stack gap={5}>
        {children({ values, change, organization })}
        {error?.details.length === 0 && <Rejection error={error} />}
        <FormActions>
          {draft.isChanged && <Button onPress={draft.reset}>{words.discard}</Button>}
          <Button
            type="submit"
            kind="primary"
            keys="Mod Enter"
            isDisabled={!draft.isReady}
            isPending={isRunning}
          >
            {words.save}
          </Button>
        </FormActions>
      </Stack>
    </Form>
  );
}

/** Page with a form for organization settings. The settings apply to both the sandbox and the live environment. */
export function SettingsPage<Values extends object>(props: Parts<Values>) {
  const { data, error, refetch } = useData(OrganizationSettingsDocument, {});
  return (
    <Page title={props.title} subtitle={props.text}>
      {data === null && error === null && <Loading lines={10} />}
      {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
      {data !== null && <SettingsForm {...props} organization={data.organization} />}
      {data !== null && props.below?.(data.organization)}
    </Page>
  );
}
