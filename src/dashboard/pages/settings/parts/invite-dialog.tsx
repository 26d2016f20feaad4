import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { RadioGroup } from '../../../kit/choice.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { notify } from '../../../shell/notices.ts';
import { useWords } from '../../../words/words.ts';
import { SettingsMemberInviteDocument } from '../members.graphql';
import { FormDialog } from './form-dialog.tsx';

type InviteDialogProps = { readonly onClose: () => void; readonly onDone: () => void };

const roles = ['member', 'admin'] as const;

/** Dialog that invites a person by email. */
export function InviteDialog({ onClose, onDone }: InviteDialogProps) {
  const words = useWords('members');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof roles)[number]>('member');
  const [invite, { isRunning, error }] = useAction(SettingsMemberInviteDocument);
  const send = async () => {
    if ((await invite({ input: { email: email.trim(), role } })) instanceof ApiError) return;
    notify(words.invited({ email: email.trim() }));
    onDone();
  };
  return (
    <FormDialog
      title={words.invite}
      save={words.sendInvitation}
      error={error}
      isRunning={isRunning}
      isReady={email.trim() !== ''}
      onSave={() => void send()}
      onClose={onClose}
    >
      <TextField
        name="email"
        type="email"
        label={words.email}
        help={words.inviteHelp}
        value={email}
        onChange={setEmail}
        autoFocus
        isRequired
      />
      <RadioGroup
        label={words.role}
        look="cards"
        value={role}
        onChange={(value) => setRole(value as typeof role)}
        options={roles.map((value) => ({ value, label: words.roles[value], help: words.roleHelp[value] }))}
      />
    </FormDialog>
  );
}
