import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import { App } from './app.tsx';
import { hasSession } from './data/place.ts';
import { router } from './router.tsx';
import { preloadPage } from './router-address.ts';

if (hasSession) preloadPage(router, location.pathname);
const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<App />);
