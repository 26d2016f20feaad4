import { Stack } from '../kit/layout.tsx';
import { Sheet } from '../kit/sheet.tsx';
import { useWords } from '../words/words.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { isPhoneMenuOpen } from './open-panels.ts';
import { PlaceMenu } from './sidebar.tsx';

const close = (): void => isPhoneMenuOpen.set(false);

/** Sheet for phones with the content of the sidebar. */
export default function PhoneMenu() {
  const { menu } = useWords('shell');
  return (
    <Sheet isOpen onClose={close} title={menu}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Links inside close the sheet, by keys too. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The links are what is pressed. */}
      <div onClick={(event) => (event.target as Element).closest('a') !== null && close()}>
        <Stack gap={3}>
          <PlaceMenu />
          <Navigation />
          <AccountMenu />
        </Stack>
      </div>
    </Sheet>
  );
}
