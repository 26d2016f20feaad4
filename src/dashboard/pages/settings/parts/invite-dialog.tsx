import { useAction } from '../../../data/hooks.ts';
import { RadioGroup } from '../../../kit/choice.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { notify } from '../../../shell/notices.ts';
import { useWords } from '../../../words/words.ts';
import { SettingsMemberInviteDocument } from '../members.graphql';
import { FormDialog } from './form-dialog.tsx';

type InviteDialogProps = { readonly onClose: () => void; readonly onDone: () => void };

const roles = ['admin', 'member', 'finance', 'support', 'read_only'] as const;

type Values = { readonly email: string; readonly role: (typeof roles)[number] };

const nobody: Values = { email: '', role: 'member' };

/** Dialog that invites a user by email. */
export function InviteDialog({ onClose, onDone }: InviteDialogProps) {
  const words = useWords('members');
  const [invite, { isRunning, error }] = useAction(SettingsMemberInviteDocument);
  const draft = useDraft(nobody, {
    isReady: ({ email }) => email.trim() !== '',
    send: ({ email, role }) => invite({ input: { email: email.trim(), role } }),
    onDone: (_, { email }) => {
      notify(words.invited({ email: email.trim() }));
      onDone();
    },
  });
  const { values, change, field } = draft;
  return (
    <FormDialog
      title={words.invite}
      save={words.sendInvitation}
      error={error}
      isRunning={isRunning}
      draft={draft}
      onClose={onClose}
    >
      <TextField
        name="email"
        type="email"
        label={words.email}
        help={words.inviteHelp}
        {...field('email')}
        autoFocus
        isRequired
      />
      <RadioGroup
        label={words.role}
        look="cards"
        value={values.role}
        onChange={(value) => change({ role: value as Values['role'] })}
        options={roles.map((value) => ({ value, label: words.roles[value], help: words.roleHelp[value] }))}
      />
    </FormDialog>
  );
}
