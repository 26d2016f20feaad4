import { type CatalogModule, start } from '../start.tsx';
import { login } from './entry.tsx';

void start(login, import.meta.glob<CatalogModule<unknown>>('../words/*/login.json'));
