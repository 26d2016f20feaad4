import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { isSignInNeeded, resume } from '../../data/session.ts';
import { useStore } from '../../data/store.ts';
import { Heading, Text } from '../../kit/text.tsx';
import type { entry } from '../../words/en/entry.ts';
import { useWords } from '../../words/words.ts';
import { AccountForm } from './account-form.tsx';
import styles from './entry.module.css';

/** Asks for a sign-in over the page when a session has ended, and cannot be closed. What was rejected goes on afterwards. */
export default function SignInAgain() {
  const words = useWords<typeof entry>('entry');
  const isOpen = useStore(isSignInNeeded);
  return (
    <ModalOverlay isOpen={isOpen} isKeyboardDismissDisabled className={styles.overlay ?? ''}>
      <Modal>
        <AriaDialog aria-label={words.signInAgain} className={styles.dialog ?? ''}>
          <Heading level={2}>{words.signInAgain}</Heading>
          <Text as="p">{words.signInAgainText}</Text>
          <AccountForm isNew={false} onDone={resume} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
