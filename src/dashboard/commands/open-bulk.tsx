import type { BulkCommandName } from './bulk-actions.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { cancel, canWait } from './cancel.tsx';
import type { AnyCommand, Subject } from './command.ts';
import { creditCreate } from './credit-create.tsx';
import { offerApply } from './offer-apply.tsx';
import { portalLink } from './portal-link.tsx';

const commands: Readonly<Record<BulkCommandName, AnyCommand>> = {
  // A bulk cancellation ends each subscription with its current period. Subscriptions that would end immediately must be canceled individually.
  cancel: {
    ...cancel,
    bulkFields: false,
    applies: (subject: Subject) => canWait(subject) && cancel.applies(subject),
  },
  creditCreate,
  offerApply,
  portalLink,
};

type OpenBulkProps = {
  readonly name: BulkCommandName;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onRun: () => void;
};

export const OpenBulk = ({ name, ...rest }: OpenBulkProps) => (
  <BulkDialog command={commands[name]} {...rest} />
);
