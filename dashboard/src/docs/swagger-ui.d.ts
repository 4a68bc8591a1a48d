declare module 'swagger-ui-dist/swagger-ui.css';

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUIInstance {
    authActions: { restoreAuthorization: (payload: { authorized: object }) => void };
  }

  interface SwaggerUIOptions {
    domNode: HTMLElement;
    url: string;
    layout: 'BaseLayout';
    presets: readonly unknown[];
    plugins: readonly unknown[];
    deepLinking: boolean;
    displayRequestDuration: boolean;
    validatorUrl: null;
    onComplete: () => void;
  }

  const SwaggerUI: ((options: SwaggerUIOptions) => SwaggerUIInstance) & { presets: { apis: unknown } };
  export default SwaggerUI;
}
