import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { preloadPage } from '../router-address.ts';

/** Time in milliseconds that the pointer must stay on a link before the page is loaded. */
const restMs = 60;

/** Loads the script of a page in advance when the pointer stays on a link to it, or when the link receives the focus. */
export function usePreload(): void {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const aim = ({ target }: Event): void => {
      clearTimeout(timer);
      const link = target instanceof Element ? target.closest('a') : null;
      if (link === null || link.origin !== location.origin || link.pathname === location.pathname) return;
      timer = setTimeout(() => preloadPage(router, link.pathname), restMs);
    };
    document.addEventListener('pointerover', aim);
    document.addEventListener('focusin', aim);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', aim);
      document.removeEventListener('focusin', aim);
    };
  }, [router]);
}
