import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const storageKey = 'keycard.docs.authorization';

interface System {
  authSelectors: { authorized: () => { toJS: () => object } };
}

/** Remembers credentials until the tab is closed. Swagger UI itself would keep them in `localStorage`. */
const rememberAuthorization = () => {
  const remember = (original: (payload: unknown) => unknown, system: System) => (payload: unknown) => {
    const result = original(payload);
    window.sessionStorage.setItem(storageKey, JSON.stringify(system.authSelectors.authorized().toJS()));
    return result;
  };
  return { statePlugins: { auth: { wrapActions: { authorize: remember, logout: remember } } } };
};

/** Mounts the interactive reference; `onComplete` is called once it shows the operations. */
export function mountReference(place: HTMLElement, onComplete: () => void): void {
  const ui = SwaggerUI({
    domNode: place,
    url: '/openapi.json',
    layout: 'BaseLayout',
    presets: [SwaggerUI.presets.apis],
    plugins: [rememberAuthorization],
    deepLinking: true,
    displayRequestDuration: true,
    validatorUrl: null,
    onComplete: () => {
      const authorized = window.sessionStorage.getItem(storageKey);
      if (authorized !== null) ui.authActions.restoreAuthorization({ authorized: JSON.parse(authorized) as object });
      onComplete();
    },
  });
}
