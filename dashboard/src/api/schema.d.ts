/** Generated from openapi.json by "npm run openapi". */
export interface paths {
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns one page of the keys of the current organization.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The response contains the full key. It can't be retrieved later.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete several API keys
         * @description Revokes the keys immediately: requests using them are rejected as soon as this responds. Ids that are not of an API
         *     key are skipped and listed. Each deleted key has its own audit event.
         */
        post: operations["deleteApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/bulk-rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate several API keys
         * @description Gives each key a new secret or, after an error, none. Their current secrets keep working for the grace period.
         *     Ids that are not of an API key are skipped and listed. The response contains the full keys, which can't be retrieved
         *     later. Each key has its own audit event.
         */
        post: operations["rotateApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/bulk-update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update several API keys
         * @description Changes all keys or, after an error, none. Ids that are not of an API key are skipped and listed. Each changed key
         *     has its own audit event.
         */
        post: operations["updateApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a request by its ID
         * @description Returns the API keys of the current organization that have requests with this ID, with these requests. Clients
         *       can send the same ID again, so there can be several. Only finds requests that `GET /api-keys/{id}/requests` or
         *       `GET /api-keys/{id}/failures` list: older ones, those a sample left out and those of deleted keys aren't kept.
         */
        get: operations["findRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags of API keys
         * @description Returns the tags of the keys of the current organization, with the number of keys.
         */
        get: operations["listApiKeyTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Returns the key with its creator, restrictions and limits, without the full key.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Revokes the key immediately: requests using it are rejected as soon as this responds.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Restrictions apply to every request that arrives after the response. Setting `enabled` to false rejects the
         *     key until it is enabled again.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api-keys/{id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failed requests of an API key
         * @description Returns the latest 100 failed requests of the last 30 days. Keycard records failures in the background, so
         *       one appears within a second, and may be missing if the database was unavailable.
         */
        get: operations["listFailedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/previous-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the previous secret
         * @description Ends the grace period of a rotation. Returns 404 if no previous secret is accepted.
         */
        delete: operations["revokePreviousSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/report-leak": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a leaked API key
         * @description Disables the key and revokes its previous secret immediately: requests using it are rejected as soon as this
         *     responds. The key then has the state `leaked` until it's rotated, which revokes its secret for good.
         */
        post: operations["reportLeakedApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest requests of an API key
         * @description Returns up to 700 successful requests and 300 that failed or were rejected, of the last 30 days. Those of a busy key
         *       are a sample: Keycard logs the first 50 of each kind, then 10 successful and 30 failed ones per minute and replica. `GET
         *       /usage` counts all. Requests are logged in the background, so one appears within a few seconds, and may be missing
         *       if the database was unavailable.
         */
        get: operations["listApiKeyRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Gives the key a new secret, and keeps its id, name, expiry and usage. The current secret keeps working for the
         *     grace period. The previous secret of an earlier rotation is revoked immediately. The response contains the full key with
         *     its new secret, which can't be retrieved later.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * @description Returns the events of the current organization, newest first.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find actors
         * @description Returns people and service accounts with events in the current organization, including former ones, to filter the
         *     events by `actorEmail` or `actorId`.
         */
        get: operations["findAuditActors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find API keys in the audit log
         * @description Returns keys with events in the current organization, including deleted ones, to filter the events by
         *     `targetId`. Current keys without events are returned only with the permission `get-api-keys`.
         */
        get: operations["findAuditKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a checkpoint
         * @description Returns a signed checkpoint with all events of the current organization. Keep it in another place: the log must
         *     continue it, so removed or changed events are found later.
         */
        get: operations["getAuditCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/consistency-proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove consistency
         * @description Proves that a checkpoint with all events of the current organization contains all events of an earlier one, in the
         *     same order.
         */
        get: operations["getAuditConsistencyProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit events
         * @description Returns all matching events of the current organization as a CSV file, newest first. With `format=jsonl`, returns
         *     them with proofs, oldest first: a line for each event, lines with the hashes of events that don't match, and a last line
         *     with a signed checkpoint, to whose root all lines lead.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove an event
         * @description Proves that a checkpoint of the current organization contains an event.
         */
        get: operations["getAuditProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Requires the invitation token. Creates an account if needed, and signs you in.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Ends all your other sessions.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user
         * @description With the current organization, role and permissions.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your account
         * @description Changes your name, which other members see, and which mail you get.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sign-in methods
         * @description Returns whether passwords are accepted, and where single sign-on starts.
         */
        get: operations["getSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/backchannel-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End sessions after a logout
         * @description Called by the identity provider (OpenID Connect Back-Channel Logout 1.0).
         */
        post: operations["receiveLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish single sign-on
         * @description The identity provider redirects the browser here. Opens a session and redirects to the requested page.
         */
        get: operations["finishOidcSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start single sign-on
         * @description Redirects the browser to the identity provider.
         */
        get: operations["startOidcSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/start-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation through single sign-on
         * @description Send the browser to the returned URL. Signing in with the invited email adds the person as a member.
         */
        post: operations["startOidcInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/preview-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an invitation
         * @description Returns the invitation with this token. Changes nothing.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the session
         * @description Requires the cookie from sign-in, but no access token. Returns a new access token and what `GET /auth/me`
         *     returns, and replaces the cookie.
         *     With `fetch`, set `credentials: 'include'`. Browsers send the cookie only from pages of this origin; pages of other
         *     origins get 403. Send one refresh at a time: each cookie works once.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link
         * @description Mails a link to the account with this email, if there is one. The response is the same for all emails. Returns
         *     404 if Keycard sends no mail.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a password
         * @description Requires the token from a reset link. Ends all sessions of the account.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Returns the open sessions, most recently used first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description The current session stays open.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Its tokens are rejected immediately.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Returns an access token and sets the cookie for `POST /auth/refresh`. Pages of this origin need
         *     `credentials: 'include'` (or the default of `fetch`) to keep the cookie.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie or of the access token, and deletes the cookie. One of them suffices, and the
         *     access token may have expired.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/switch-organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch organizations
         * @description Returns an access token for another of your organizations. `GET /organizations` lists them.
         */
        post: operations["switchOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token for a service account
         * @description OAuth 2.0 client credentials grant (RFC 6749 §4.4). Send the credentials of the service account with HTTP
         *     Basic or in the form. Request a new token when this one expires; there is no refresh token.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Every type of event, with a description and an example of what webhooks get.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Succeeds while the process responds, even if its dependencies are unavailable.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Succeeds if this replica should receive requests: the database and engines are available, and it is neither
         *     starting nor stopping.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Pending invitations, including expired ones.
         */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Its link stops working immediately.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaked-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report leaked API keys
         * @description Takes what GitHub's secret scanning sends. Needs no credential: the full key is proof enough. What happens to a
         *     key is the choice of its organization (`onLeak`), and applies to every request that arrives after the response.
         *     Reporting a key again changes nothing. With `LEAKED_KEYS_PUBLIC_KEYS`, reports must be signed.
         */
        post: operations["reportLeakedKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Returns one page of the members of the current organization.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Only this response contains the link. It is valid for 7 days and works once.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave the current organization
         * @description Needs no permission. API keys that you created stay.
         */
        delete: operations["leaveOrganization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Keeps the API keys that the member created, unless `keys` says otherwise. Either everything happens or nothing:
         *     with `disable` and `delete`, requests using the keys are rejected as soon as this responds.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Update a member's role
         * @description Applies from the member's next request.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List served models
         * @description All models, and the services that your organization may use, whether or not keys are restricted to some of
         *       them, with what serves each model.
         *       The health of upstreams is as seen by the replica that sent this response, since it started; other replicas may
         *       differ.
         */
        get: operations["listServedModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your organizations
         * @description With your role in each.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description You become its Owner. Switch to it with `POST /auth/switch-organization`. `canCreateOrganizations` in
         *       `GET /auth/me` is whether you may.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current organization
         * @description With its limits and their current state.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete the current organization
         * @description Revokes all its API keys immediately, and ends the access of its members and service accounts. Its usage is
         *       deleted within minutes. Accounts of members stay. Can't be undone.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        /**
         * Update the current organization
         * @description Limits apply to every request that arrives after the response.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview of the current organization
         * @description Usage today and this month, what needs attention, the latest changes, and the checklist of a new
         *       organization. Parts that need a permission you lack are absent.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/former": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List former members
         * @description Returns one page of the people who left the current organization or were removed, and aren't members again.
         */
        get: operations["listFormerMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person
         * @description Returns a current or former member by the id of the user, as in the creator of a key or the actor of an audit
         *     event. To find their keys, usage and events, filter `GET /api-keys` and `GET /usage` by `creatorId`, and
         *     `GET /audit-events` by `actorId`.
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a member's sessions
         * @description Returns the open sessions in which the member works in the current organization, most recently used first. Those
         *     of other organizations stay private.
         */
        get: operations["listPersonSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description Every permission, with description and group.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Returns all roles of the current organization, with their permissions.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description You must hold every permission that you give it.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description No member, invitation or service account may have it.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Update a role
         * @description Applies from its members' next request.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service accounts
         * @description Returns one page of the service accounts of the current organization, newest first.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create a service account
         * @description The response contains the client secret. It can't be retrieved later.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a service account
         * @description Without its client secret.
         */
        get: operations["getServiceAccount"];
        put?: never;
        post?: never;
        /**
         * Delete a service account
         * @description Revokes its client secret and access tokens immediately. Keeps the API keys that it created, unless `keys` says
         *     otherwise. Either everything happens or nothing: with `disable` and `delete`, requests using the keys are rejected as
         *     soon as this responds.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        /**
         * Update a service account
         * @description A new role applies to every request that arrives after the response.
         */
        patch: operations["updateServiceAccount"];
        trace?: never;
    };
    "/service-accounts/{id}/previous-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the previous client secret
         * @description Ends the grace period of a rotation. Returns 404 if no previous secret is accepted.
         */
        delete: operations["revokePreviousClientSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a client secret
         * @description The current secret and access tokens issued for it keep working for the grace period. Those of earlier
         *     rotations are revoked immediately. The response contains the new secret, which can't be retrieved later.
         */
        post: operations["rotateClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a usage report
         * @description Reports the usage of all API keys of the current organization, including deleted ones.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a usage report
         * @description Returns the report as a CSV file: one line per point, or per group with `interval=none`.
         */
        get: operations["exportUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count failed requests
         * @description Counts failed requests of the current organization's API keys by status and error code. Includes requests
         *       that aren't part of the usage, such as those with an expired or disabled key or an unknown model.
         */
        get: operations["countFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authorize a request to a service
         * @description For reverse proxies, which forward the API key of a request. They let it through on 204. A body is ignored.
         */
        get: operations["authorize"];
        put?: never;
        /**
         * Authorize a request to a service
         * @description For reverse proxies, which forward the API key of a request. They let it through on 204. A body is ignored.
         */
        post: operations["authorizePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion
         * @description Forwards the request to an upstream that speaks OpenAI's format. Requests and responses are unchanged, except for the model's name. Fields that aren't listed here are accepted too.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a text completion
         * @description Forwards the request to an upstream that speaks OpenAI's format. Requests and responses are unchanged, except for the model's name. Fields that aren't listed here are accepted too.
         */
        post: operations["createCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings
         * @description Returns a vector for each text. Requests and responses have OpenAI's format. Upstream models also accept fields that aren't listed here.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the API key you send
         * @description Returns the key's name, expiry, restrictions, and limits with what is left of them. The request counts against
         *     no limit, so it works when a limit is exhausted. The organization's limits apply in addition and aren't included.
         */
        get: operations["getCurrentKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a message
         * @description Forwards the request to an upstream that speaks Anthropic's format. Requests and responses are unchanged, except for the model's name. Fields that aren't listed here are accepted too.
         */
        post: operations["createMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tokens of a message
         * @description Forwards the request to the model's upstream, and counts only as a request. Anthropic's format.
         */
        post: operations["countMessageTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Returns the models that the API key may use, in the format of OpenAI and Mistral, or in Anthropic's for requests with `anthropic-version`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model
         * @description Returns one model by id or alias, in the same formats.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ocr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the text of a PDF or an image
         * @description Returns the text of each page as Markdown. Requests and responses have Mistral's format. Upstream models accept JSON only, including fields that aren't listed here.
         */
        post: operations["readDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ocr/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the text of an uploaded PDF or image
         * @description The same as a form sent to `POST /v1/ocr`, for generated clients that support only one content type per operation. Upstream models don't accept forms.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response
         * @description Forwards the request to an upstream that speaks OpenAI's format. Requests and responses are unchanged, except for the model's name. Fields that aren't listed here are accepted too.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns one page of the webhooks of the current organization, newest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The response contains the signing secret. It can't be retrieved later.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Drops the deliveries that wait.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Enabling a webhook retries the deliveries that wait, in order.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description Returns one page of the deliveries of the last 30 days, newest first, with their attempts and bodies.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends the event of a delivery once more, with the same `webhook-id`, even if the webhook is disabled. If the
         *     delivery still waits for a retry, the webhook is retried immediately instead, in order.
         */
        post: operations["redeliverWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook secret
         * @description Deliveries are signed with the current secret too until the grace period ends, so you can replace it without
         *     losing any. The response contains the new secret, which can't be retrieved later.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends an event of type `webhook.test` once, even if the webhook is disabled. The list of deliveries has the
         *     result.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.created
         * @description An API key was created.
         */
        post: operations["apiKeyCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.deleted
         * @description An API key was deleted.
         */
        post: operations["apiKeyDeletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.disabled
         * @description An API key was disabled.
         */
        post: operations["apiKeyDisabledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.enabled
         * @description A disabled API key was enabled.
         */
        post: operations["apiKeyEnabledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.expired
         * @description An API key expired.
         */
        post: operations["apiKeyExpiredEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.expiring
         * @description An API key expires in 7 days, or in 1 day.
         */
        post: operations["apiKeyExpiringEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.leaked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.leaked
         * @description An API key leaked: it was found in a public place, or a member reported it.
         */
        post: operations["apiKeyLeakedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.rotated
         * @description An API key got a new secret. The previous one works until the grace period ends.
         */
        post: operations["apiKeyRotatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.updated
         * @description Settings of an API key changed, such as its name, expiry or limits.
         */
        post: operations["apiKeyUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "audit.checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * audit.checkpoint
         * @description The audit log has a new signed checkpoint. Keep it, to prove later that nothing was removed.
         */
        post: operations["auditCheckpointEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "limit.exhausted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * limit.exhausted
         * @description A limit of a key or the organization reached 100% of its maximum.
         */
        post: operations["limitExhaustedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "limit.threshold_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * limit.threshold_reached
         * @description A limit of a key or the organization reached a percentage of its `notifyAt`.
         */
        post: operations["limitThresholdReachedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.invited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.invited
         * @description Someone was invited to the organization.
         */
        post: operations["memberInvitedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.joined
         * @description A member joined, with an invitation, through single sign-on, or added by the operator.
         */
        post: operations["memberJoinedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.left
         * @description A member left the organization.
         */
        post: operations["memberLeftEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.removed
         * @description A member was removed.
         */
        post: operations["memberRemovedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.role_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.role_changed
         * @description A member got another role.
         */
        post: operations["memberRoleChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.updated
         * @description Settings of the organization changed.
         */
        post: operations["organizationUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "role.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * role.created
         * @description A role was created.
         */
        post: operations["roleCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "role.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * role.deleted
         * @description A role was deleted.
         */
        post: operations["roleDeletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "role.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * role.updated
         * @description The name or permissions of a role changed.
         */
        post: operations["roleUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.created
         * @description A service account was created.
         */
        post: operations["serviceAccountCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.deleted
         * @description A service account was deleted.
         */
        post: operations["serviceAccountDeletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.rotated
         * @description A service account got a new client secret.
         */
        post: operations["serviceAccountRotatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.updated
         * @description The name or role of a service account changed, or its previous secret was revoked.
         */
        post: operations["serviceAccountUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sign_in.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * sign_in.blocked
         * @description Further sign-ins of a member are blocked for a while, after too many wrong passwords.
         */
        post: operations["signInBlockedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "upstream.circuit_closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * upstream.circuit_closed
         * @description A replica sends requests to an upstream again.
         */
        post: operations["upstreamCircuitClosedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "upstream.circuit_opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * upstream.circuit_opened
         * @description A replica stopped sending requests to an upstream, because too many in a row failed.
         */
        post: operations["upstreamCircuitOpenedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.disabled
         * @description Keycard disabled a webhook, because its last attempt failed (`failing`), or it responded 410 (`gone`).
         */
        post: operations["webhookDisabledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.test
         * @description A test that a user sent to one webhook. Webhooks can't choose it.
         */
        post: operations["webhookTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Invitation token, and credentials of the new or existing account. */
        AcceptInvitation: {
            /**
             * @description Name for a new account. Ignored if the invited email has an account.
             * @example Ada Lovelace
             */
            name?: string;
            /**
             * Format: password
             * @description Password of the account. If the invited email has no account, one is created with this password, which must then have 12–256 characters and not be easy to guess.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * @description Value of `token` in the invitation link.
             * @example EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0
             */
            token: string;
        };
        /** @description Access token for the management API. */
        AccessToken: {
            /**
             * @description JWT, to be sent as `Authorization: Bearer <accessToken>`.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl
             */
            accessToken: string;
            /**
             * @description Lifetime of the token, in seconds.
             * @example 900
             */
            expiresIn: number;
            /**
             * @description Token type.
             * @example Bearer
             * @enum {string}
             */
            tokenType: "Bearer";
        };
        /** @description An error of `/v1/messages`, in Anthropic's format. */
        AnthropicError: {
            /** @description Details of the error. */
            error: components["schemas"]["AnthropicErrorDetail"];
            /**
             * @description Id of the request, as in the log.
             * @example 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f
             */
            request_id: string;
            /**
             * @description Always `error`.
             * @example error
             * @enum {string}
             */
            type: "error";
        };
        /** @description Details of an error. */
        AnthropicErrorDetail: {
            /**
             * @description What went wrong and how to fix it.
             * @example The model 'claude-9' does not exist.
             */
            message: string;
            /**
             * @description Kind of error, one of Anthropic's.
             * @example invalid_request_error
             */
            type: string;
        };
        /** @description A model, in Anthropic's format. */
        AnthropicModel: {
            /**
             * Format: date-time
             * @description Publication time.
             * @example 2025-09-29T00:00:00Z
             */
            created_at: string;
            /**
             * @description The same as `id`.
             * @example claude
             */
            display_name: string;
            /**
             * @description Id or alias of the model, for `model` in requests.
             * @example claude
             */
            id: string;
            /**
             * @description Always `model`.
             * @example model
             * @enum {string}
             */
            type: "model";
        };
        /** @description The available models, in Anthropic's format. */
        AnthropicModelList: {
            /** @description All models, on one page. */
            data: components["schemas"]["AnthropicModel"][];
            /**
             * @description Id of the first model.
             * @example claude
             */
            first_id: string | null;
            /**
             * @description Always false.
             * @example false
             * @enum {boolean}
             */
            has_more: false;
            /**
             * @description Id of the last model.
             * @example claude
             */
            last_id: string | null;
        };
        /** @description API key metadata. The full key is never included. */
        ApiKey: {
            /**
             * Format: date-time
             * @description When the key was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /** @description The user who created the key, in lists with `include=creator`; absent if unknown. */
            createdBy?: components["schemas"]["ApiKeyCreator"];
            /** @description The service account that created the key, in lists with `include=creator`; absent if none did. */
            createdByServiceAccount?: components["schemas"]["ApiKeyCreatingServiceAccount"];
            /**
             * @description False for a disabled key; otherwise absent.
             * @example false
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description When the key expires or expired; absent if it never expires (ISO 8601, UTC, milliseconds).
             * @example 2027-01-31T09:30:00.000Z
             */
            expiresAt?: string;
            /**
             * @description First characters of the key.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description When the key was last used, accurate to two seconds; absent if it was never used (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            lastUsedAt?: string;
            /**
             * Format: date-time
             * @description When a secret of the key was first reported as leaked; absent if none was, or if it was revoked since (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            leakedAt?: string;
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
            /**
             * Format: date-time
             * @description When the previous secret expires; absent if none is accepted (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretExpiresAt?: string;
            /**
             * @description Tags, to find keys and to group usage by. In lower case and sorted. Absent without tags.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            tags?: string[];
            /**
             * Format: date-time
             * @description When the key was last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description The service account that created an API key. */
        ApiKeyCreatingServiceAccount: {
            /**
             * Format: uuid
             * @description Id of the service account.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Name of the service account.
             * @example Deploy pipeline
             */
            name: string;
        };
        /** @description The user who created an API key. */
        ApiKeyCreator: {
            /**
             * Format: email
             * @description Email of the user.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Name of the user.
             * @example Ada Lovelace
             */
            name: string;
        };
        /** @description API key metadata with the creator and limits. The full key is never included. */
        ApiKeyDetails: {
            /**
             * @description IP addresses and CIDR ranges that the key may be used from. Null means all. Behind a proxy, `TRUST_PROXY` determines the address of the client.
             * @example [
             *       "203.0.113.7",
             *       "2001:db8::/32"
             *     ]
             */
            addresses: string[] | null;
            /**
             * Format: date-time
             * @description When the key was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /** @description The user who created the key; null if a service account did, or the account was deleted. */
            createdBy: components["schemas"]["ApiKeyCreator"] | null;
            /** @description The service account that created the key; absent if it was deleted. */
            createdByServiceAccount?: components["schemas"]["ApiKeyCreatingServiceAccount"];
            /**
             * @description Whether the key is deleted 5 minutes after it has expired.
             * @example false
             */
            deleteWhenExpired: boolean;
            /**
             * @description Whether the key is accepted.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When the key expires or expired; absent if it never expires (ISO 8601, UTC, milliseconds).
             * @example 2027-01-31T09:30:00.000Z
             */
            expiresAt?: string;
            /**
             * @description First characters of the key.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /** @description Former members and deleted service accounts that know a secret of the key that is still accepted, from creating or rotating it. Only of active keys. */
            knownToFormerMembers: components["schemas"]["ApiKeyFormerHolder"][];
            /**
             * @description IP address of a client that used the key at `lastUsedAt`; absent if it is unknown.
             * @example 203.0.113.7
             */
            lastUsedAddress?: string;
            /**
             * Format: date-time
             * @description When the key was last used, accurate to two seconds; absent if it was never used (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            lastUsedAt?: string;
            /** @description Where a secret of the key was found; absent if none was reported as leaked, or if the key was rotated since. */
            leak?: components["schemas"]["ApiKeyLeak"];
            /**
             * Format: date-time
             * @description When a secret of the key was first reported as leaked; absent if none was, or if it was revoked since (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            leakedAt?: string;
            /**
             * @description Limits, sorted by metric, period and models. Empty without limits.
             * @example [
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute",
             *         "remaining": 480,
             *         "reserved": 0,
             *         "resetsAt": "2026-01-31T09:30:12.000Z",
             *         "used": 120
             *       },
             *       {
             *         "estimated": "0",
             *         "isIncreased": false,
             *         "max": "25",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month",
             *         "remaining": "23.75",
             *         "reserved": "0.05",
             *         "resetsAt": "2026-02-01T00:00:00.000Z",
             *         "used": "1.25"
             *       },
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 20,
             *         "metric": "concurrency",
             *         "remaining": 17,
             *         "reserved": 0,
             *         "resetsAt": null,
             *         "used": 3
             *       }
             *     ]
             */
            limits: components["schemas"]["LimitState"][];
            /**
             * @description Ids or aliases of the models, and names of the services, that the key may use. Null means all, including future ones; an empty list means none.
             * @example [
             *       "universal-sentence-encoder-lite"
             *     ]
             */
            models: string[] | null;
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
            /**
             * @description A note. Everyone with `get-api-keys` can read it.
             * @example Owned by the search team
             */
            note: string | null;
            /**
             * Format: date-time
             * @description When the previous secret expires; absent if none is accepted (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretExpiresAt?: string;
            /**
             * @description First characters of the previous secret; null if none is accepted.
             * @example kc_9Zx2b
             */
            previousSecretHint: string | null;
            /**
             * Format: date-time
             * @description When the previous secret was last used, accurate to two seconds; null if it never was, absent if none is accepted (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretLastUsedAt?: string | null;
            /**
             * Format: date-time
             * @description When the key was last rotated; null if it never was (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            rotatedAt: string | null;
            /**
             * @description Tags, to find keys and to group usage by. In lower case and sorted.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            tags: string[];
            /**
             * Format: date-time
             * @description When the key was last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description Former member or deleted service account that received a secret of an API key. */
        ApiKeyFormerHolder: {
            /**
             * @description Who received it.
             * @example user
             * @enum {string}
             */
            kind: "user" | "service-account";
            /**
             * @description Their name when they left, or were deleted; null if it is unknown.
             * @example Grace Hopper
             */
            name: string | null;
            /**
             * @description Which secret: the `current` one, or the `previous` one, from before the last rotation.
             * @example current
             * @enum {string}
             */
            secret: "current" | "previous";
        };
        /** @description Where a secret of an API key was found first. */
        ApiKeyLeak: {
            /**
             * Format: date-time
             * @description When it was reported (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            reportedAt: string;
            /** @description Who reported it with `report-leak`; absent if a scanner did, or if the audit log no longer has the report. */
            reportedBy?: components["schemas"]["ApiKeyLeakReporter"];
            /**
             * @description Which secret it was: the `current` one, or the `previous` one, from before the last rotation.
             * @example current
             * @enum {string|null}
             */
            secret: "current" | "previous" | null;
            /**
             * @description Kind of place, as reported, such as `commit`; null if the report has none.
             * @example commit
             */
            source: string | null;
            /**
             * Format: uri
             * @description URL of the place, as reported, without secrets. Don't trust it. Null if the report has none.
             * @example https://github.com/example/repository/blob/main/.env
             */
            url: string | null;
        };
        /** @description The member or service account that reported a leak. */
        ApiKeyLeakReporter: {
            /**
             * Format: uuid
             * @description Id of the user or service account.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Who reported it.
             * @example user
             * @enum {string}
             */
            kind: "user" | "service-account";
            /**
             * @description Their name; of a former member, when they left, and of a service account, at the time.
             * @example Ada Lovelace
             */
            name: string;
        };
        /** @description A page of API keys. */
        ApiKeyList: {
            /** @description API keys on this page, in the requested order. */
            apiKeys: components["schemas"]["ListedApiKey"][];
            /**
             * @description Currency of costs and of limits in money (ISO 4217). Only with `include=use`.
             * @example USD
             */
            currency?: string;
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description An API key that has requests with an ID. */
        ApiKeyOfRequest: {
            /** @description Those among its failed requests, with causes, as in `GET /api-keys/{id}/failures`, newest first. */
            failures: components["schemas"]["FailedRequest"][];
            /**
             * @description First characters of the key.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
            /** @description Those among its latest requests, as in `GET /api-keys/{id}/requests`, newest first. */
            requests: components["schemas"]["ApiKeyRequest"][];
        };
        /** @description Usage of an API key today and on the six UTC days before. */
        ApiKeyRecentUsage: {
            /**
             * @description Cost in `currency`, an exact decimal; null if no request had a price.
             * @example 0.000012
             */
            cost: string | null;
            /**
             * @description Number of failed requests.
             * @example 3
             */
            failures: number;
            /**
             * @description Number of requests, including failed ones.
             * @example 1260
             */
            requests: number;
            /**
             * @description Number of requests on each UTC day, today last.
             * @example [
             *       120,
             *       180,
             *       240,
             *       0,
             *       0,
             *       300,
             *       420
             *     ]
             */
            requestsByDay: number[];
        };
        /** @description A request with an API key, without its body and response. */
        ApiKeyRequest: {
            /**
             * @description IP address of the client; null if unknown.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description Number of input tokens that were written to the upstream's cache for an hour; part of `cacheWriteTokens`.
             * @example 0
             */
            cacheWrite1hTokens: number;
            /**
             * @description Number of input tokens that were written to the upstream's cache; part of `inputTokens`.
             * @example 0
             */
            cacheWriteTokens: number;
            /**
             * @description Number of input tokens that were read from the upstream's cache; part of `inputTokens`.
             * @example 0
             */
            cachedInputTokens: number;
            /**
             * @description Cost, an exact decimal, in the `currency` of `GET /usage`; null without a price.
             * @example 0.000012
             */
            cost: string | null;
            /**
             * @description Number of requests whose upstream never reported their usage. They count with the most that they could have used.
             * @example 0
             */
            estimatedRequests: number;
            /**
             * @description Number of input tokens, including cached ones.
             * @example 48000
             */
            inputTokens: number;
            /**
             * @description Time from the arrival of the request to the end of the response, in milliseconds.
             * @example 12.5
             */
            milliseconds: number;
            /**
             * @description Id of the model, or name of the service; null if the request had none, or failed before it was known.
             * @example universal-sentence-encoder-lite
             */
            model: string | null;
            /**
             * Format: date-time
             * @description When it arrived (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            occurredAt: string;
            /**
             * @description How it ended: `failure` has a status of 400 or higher or an incomplete response, and `limited` was rejected by a limit.
             * @example success
             * @enum {string}
             */
            outcome: "success" | "failure" | "limited";
            /**
             * @description Number of output tokens, including reasoning.
             * @example 0
             */
            outputTokens: number;
            /**
             * @description Number of document pages read.
             * @example 0
             */
            pages: number;
            /**
             * @description Number of output tokens that the model used for reasoning; part of `outputTokens`.
             * @example 0
             */
            reasoningTokens: number;
            /**
             * @description Request ID, as in the `x-request-id` response header and the log.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            requestId: string;
            /**
             * @description Method and path pattern.
             * @example POST /v1/embeddings
             */
            route: string;
            /**
             * @description HTTP status code. 499 if the client disconnected before the response began.
             * @example 200
             */
            status: number;
        };
        /** @description A page of the latest requests with an API key. */
        ApiKeyRequestList: {
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /** @description Newest first. */
            requests: components["schemas"]["ApiKeyRequest"][];
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description A tag, and how many API keys have it. */
        ApiKeyTag: {
            /**
             * @description Number of API keys with this tag.
             * @example 12
             */
            apiKeyCount: number;
            /**
             * @description The tag.
             * @example production
             */
            tag: string;
        };
        /** @description Tags of API keys. */
        ApiKeyTagList: {
            /** @description The 1,000 most used tags, those of the most API keys first. */
            tags: components["schemas"]["ApiKeyTag"][];
        };
        /** @description Things of one kind that need attention. */
        Attention: {
            /**
             * @description How many there are. Of keys, except those near limits, 1,000 means 1,000 or more.
             * @example 3
             */
            count: number;
            /** @description The most urgent of them. Of leaked keys, enabled ones are first. */
            first: components["schemas"]["AttentionItem"][];
            /**
             * @description `leaked-keys`: a secret was reported as leaked, and not revoked since; the key may be disabled. `failing-upstreams`: requests are withheld after repeated failures, as seen by the replica that sent this response. `failing-webhooks`: deliveries fail, or failed until Keycard disabled the webhook. `keys-near-limits`: at least 80% of a budget, which is a limit per day, week or month, is used. `expiring-keys`: active keys that expire within 7 days, except those with `deleteWhenExpired`. `keys-known-to-former-members`: active keys with a secret that former members or deleted service accounts received and that is still accepted. `unused-keys`: active keys not used for 90 days. `members-never-signed-in`: members without a sign-in since their account was created; leaves out accounts older than the audit log.
             * @example expiring-keys
             * @enum {string}
             */
            kind: "leaked-keys" | "failing-upstreams" | "failing-webhooks" | "keys-near-limits" | "expiring-keys" | "keys-known-to-former-members" | "unused-keys" | "members-never-signed-in";
        };
        /** @description Something that needs attention. */
        AttentionItem: {
            /**
             * Format: date-time
             * @description When the key leaked, expires, was last used, or if it never was, was created; when the last former member who knows the key left; when the member joined; when the upstream last failed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            at?: string;
            /**
             * @description First characters of an API key.
             * @example kc_4fT9q
             */
            hint?: string;
            /**
             * @description Id of the key, webhook or member (`GET /api-keys/{id}`, for example), or of the model.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Whether the leaked key is disabled, or Keycard disabled the webhook because its deliveries failed. Only of leaked keys and webhooks.
             * @example false
             */
            isDisabled?: boolean;
            /**
             * @description Name of the key or member, host of the webhook or upstream.
             * @example Search indexer
             */
            name: string;
            /**
             * Format: date-time
             * @description When the previous secret expires, if former members know only that one. Only of keys known to former members (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretExpiresAt?: string;
            /**
             * @description Used percentage of the budget that is closest to its maximum, rounded down to thousandths. Only of keys near their limits.
             * @example 92.5
             */
            usedPercent?: number;
        };
        /**
         * @description An action in the audit log.
         * @enum {string}
         */
        AuditAction: "sign-in" | "sign-in-failed" | "sign-in-blocked" | "sign-out" | "session.end" | "session.reuse" | "session.logout" | "password.change" | "password.remove" | "password.reset-link" | "password.reset-request" | "password.reset" | "account.update" | "account.list" | "account.delete" | "database.backup" | "database.restore" | "database.accept-history" | "database.migrate" | "database.revert" | "organization.create" | "organization.update" | "organization.delete" | "organization.move" | "organization.arrive" | "organization.export" | "organization.switch" | "member.create" | "member.add-owner" | "member.update" | "member.delete" | "member.keep" | "invitation.create" | "invitation.accept" | "invitation.delete" | "role.create" | "role.update" | "role.delete" | "service-account.create" | "service-account.update" | "service-account.rotate" | "service-account.delete" | "api-key.create" | "api-key.update" | "api-key.rotate" | "api-key.delete" | "api-key.leak" | "webhook.create" | "webhook.update" | "webhook.rotate" | "webhook.test" | "webhook.redeliver" | "webhook.delete" | "webhook.disable" | "limit.threshold";
        /** @description Who performed the action. */
        AuditActor: {
            /**
             * @description Email of a user at the time of the event.
             * @example ada@example.com
             */
            email: string | null;
            /**
             * Format: uuid
             * @description Id of the user or service account, which may have been removed since; null if the account is unknown, and for the service itself.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string | null;
            /**
             * @description Kind of actor. `user` includes unknown accounts and the operator on the command line; `system` is the service itself.
             * @example user
             * @enum {string}
             */
            kind: "user" | "service-account" | "system";
            /**
             * @description Name of a service account at the time of the event; null for other actors.
             * @example null
             */
            name: string | null;
        };
        /** @description Actors in the audit log. */
        AuditActorList: {
            /** @description Actors, sorted by name or email. */
            actors: components["schemas"]["FoundAuditActor"][];
        };
        /** @description Proof that a checkpoint continues an earlier one. */
        AuditConsistencyProof: {
            /**
             * @description Signed checkpoint (C2SP `tlog-checkpoint`): origin, number of events, root hash in base64 and time, then an Ed25519 signature.
             * @example keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11
             *     1284
             *     Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY=
             *     Time: 2026-01-31T10:00:00.000Z
             *
             *     — keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11 r6TkFuJ8SxVnn2cUdGTuJcnC1ZGMD4dpvGVz4cpMGYdQqmrGlG7pyLvCUx3rcTYBDRY7qJ7nyHFjT6hoHTd81JhiFgc=
             */
            checkpoint: string;
            /**
             * @description Hashes that lead to the roots of both, in base64 (RFC 6962, section 2.1.2).
             * @example [
             *       "Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY="
             *     ]
             */
            hashes: string[];
            /**
             * @description Key that verifies the signature, as verifiers of C2SP `signed-note` take it: name, key id and key.
             * @example keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11+afa4e416+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW
             */
            publicKey: string;
            /**
             * @description Number of events in the checkpoint.
             * @example 1284
             */
            treeSize: number;
        };
        /** @description An audit event. Events never change. */
        AuditEvent: {
            /**
             * @description Action.
             * @example api-key.update
             */
            action: components["schemas"]["AuditAction"];
            /** @description Who performed the action. */
            actor: components["schemas"]["AuditActor"];
            /**
             * @description IP address of the client; `unknown` if a proxy forwarded something else, and `service` for events of the service itself.
             * @example 203.0.113.7
             */
            address: string;
            /**
             * @description New values of the same fields.
             * @example {
             *       "name": "Search indexer"
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Previous values of the changed fields. Never includes secrets.
             * @example {
             *       "name": "Search"
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description Id of the event.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, by the database's clock (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            occurredAt: string;
            /**
             * @description Request that caused it, as in the `x-request-id` response header. Null for events of the service itself and of the operator, and for those of earlier releases.
             * @example 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f
             */
            requestId: string | null;
            /** @description The affected resource. */
            target: components["schemas"]["AuditTarget"];
            /**
             * @description `User-Agent` of the client.
             * @example curl/8.5.0
             */
            userAgent: string | null;
        };
        /** @description A page of the audit log. */
        AuditEventList: {
            /** @description Events, newest first. */
            auditEvents: components["schemas"]["AuditEvent"][];
            /**
             * @description `cursor` of the next page; null on the last page.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            nextCursor: string | null;
            /** @description Names of the people whose emails the events have, of current and former members. Empty without the permission `get-members`. */
            people: components["schemas"]["AuditPerson"][];
        };
        /** @description API keys in the audit log. */
        AuditKeyList: {
            /** @description Exact matches first, then by name; keys with the same name are sorted newest first. */
            apiKeys: components["schemas"]["FoundAuditKey"][];
        };
        /** @description The name of a current or former member in audit events. */
        AuditPerson: {
            /**
             * @description Email in the events.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Current name of a member, or that of a former member when they left.
             * @example Ada Lovelace
             */
            name: string;
        };
        /** @description Proof that a checkpoint contains an event. */
        AuditProof: {
            /**
             * @description Signed checkpoint (C2SP `tlog-checkpoint`): origin, number of events, root hash in base64 and time, then an Ed25519 signature.
             * @example keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11
             *     1284
             *     Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY=
             *     Time: 2026-01-31T10:00:00.000Z
             *
             *     — keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11 r6TkFuJ8SxVnn2cUdGTuJcnC1ZGMD4dpvGVz4cpMGYdQqmrGlG7pyLvCUx3rcTYBDRY7qJ7nyHFjT6hoHTd81JhiFgc=
             */
            checkpoint: string;
            /**
             * @description Canonical JSON (RFC 8785) of the event, whose bytes are hashed.
             * @example {"action":"api-key.update", …}
             */
            event: string;
            /**
             * @description Hashes that lead from the event to the root, in base64 (RFC 6962, section 2.1.1).
             * @example [
             *       "Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY="
             *     ]
             */
            hashes: string[];
            /**
             * @description Position of the event in the log; 0 is the first.
             * @example 1283
             */
            index: number;
            /**
             * @description Key that verifies the signature, as verifiers of C2SP `signed-note` take it: name, key id and key.
             * @example keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11+afa4e416+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW
             */
            publicKey: string;
            /**
             * @description Number of events in the checkpoint.
             * @example 1284
             */
            treeSize: number;
        };
        /** @description The affected resource, with its name at the time. */
        AuditTarget: {
            /**
             * @description First characters of an API key or a client secret.
             * @example kc_4fT9q
             */
            hint?: string;
            /**
             * Format: uuid
             * @description Id of the resource, which may have been deleted since.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string | null;
            /**
             * @description Kind of resource.
             * @example api-key
             */
            kind: components["schemas"]["AuditTargetKind"];
            /**
             * @description Name of the resource.
             * @example Search indexer
             */
            name: string | null;
        };
        /**
         * @description A kind of resource in the audit log.
         * @enum {string}
         */
        AuditTargetKind: "organization" | "user" | "member" | "invitation" | "role" | "session" | "service-account" | "api-key" | "webhook";
        /** @description The URL to sign in at. */
        AuthorizationUrl: {
            /**
             * Format: uri
             * @description Page of the identity provider to send the browser to.
             * @example https://id.example.com/authorize?client_id=keycard&response_type=code
             */
            url: string;
        };
        /** @description A model, in the format of the client. */
        AvailableModel: components["schemas"]["Model"] | components["schemas"]["AnthropicModel"];
        /** @description The available models, in the format of the client. */
        AvailableModels: components["schemas"]["ModelList"] | components["schemas"]["AnthropicModelList"];
        /** @description Logout request from the identity provider. */
        BackchannelLogout: {
            /**
             * @description Logout token (OpenID Connect Back-Channel Logout 1.0 §2.4).
             * @example eyJ0eXAiOiJsb2dvdXQrand0IiwiYWxnIjoiUlMyNTYifQ.eyJzaWQiOiIwOGE1In0.c2lnbmF0dXJl
             */
            logout_token: string;
        };
        /** @description API keys to delete. */
        BulkDeleteApiKeys: {
            /**
             * @description Ids of the API keys, each once.
             * @example [
             *       "01990000-0000-7000-8000-000000000001",
             *       "01990000-0000-7000-8000-000000000002"
             *     ]
             */
            ids: string[];
        };
        /** @description What happened to the API keys of a request. */
        BulkResult: {
            /**
             * @description Ids of the API keys that now are as requested, including those that were before.
             * @example [
             *       "01990000-0000-7000-8000-000000000001",
             *       "01990000-0000-7000-8000-000000000002"
             *     ]
             */
            ids: string[];
            /**
             * @description Ids that are not of an API key of the organization, such as those of deleted keys.
             * @example []
             */
            notFoundIds: string[];
        };
        /** @description API keys to rotate. */
        BulkRotateApiKeys: {
            /**
             * @description How long the current secret keeps working, in seconds. 0 revokes it immediately.
             * @example 3600
             */
            gracePeriodSeconds: number;
            /**
             * @description Ids of the API keys, each once.
             * @example [
             *       "01990000-0000-7000-8000-000000000001",
             *       "01990000-0000-7000-8000-000000000002"
             *     ]
             */
            ids: string[];
        };
        /** @description A rotated API key. */
        BulkRotatedApiKey: {
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description The full API key. Store it now: no other response contains it.
             * @example kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            key: string;
        };
        /** @description Rotated API keys with their new secrets. */
        BulkRotatedApiKeys: {
            /** @description The keys, in the order of `ids`. */
            apiKeys: components["schemas"]["BulkRotatedApiKey"][];
            /**
             * @description Ids that are not of an API key of the organization, such as those of deleted keys.
             * @example []
             */
            notFoundIds: string[];
        };
        /** @description Changes of several API keys. Omitted fields stay the same. */
        BulkUpdateApiKeys: {
            /**
             * @description Tags to add to each key.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            addTags?: string[];
            /**
             * @description Whether the keys are accepted.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description When the keys expire, in the future and within the limit of the organization. Null means never.
             * @example 2027-01-31T09:30:00Z
             */
            expiresAt?: string | null;
            /**
             * @description Ids of the API keys, each once.
             * @example [
             *       "01990000-0000-7000-8000-000000000001",
             *       "01990000-0000-7000-8000-000000000002"
             *     ]
             */
            ids: string[];
            /** @description Temporary increases of the keys' own limits with the same metric, period and models, whose maximums may differ. Keys without such a limit stay the same. Not together with `limits` or `setLimits`. At most one per metric, period and set of models. An empty list changes nothing. */
            increaseLimits?: components["schemas"]["IncreaseLimit"][];
            /** @description How much each key may use. Replaces its limits. Not together with `setLimits` or `increaseLimits`. At most one per metric, period and set of models. An empty list removes all limits. */
            limits?: components["schemas"]["Limit"][];
            /**
             * @description Tags to remove from each key that has them.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            removeTags?: string[];
            /**
             * @description Limits to add to each key. Those on the same metric, period and models replace the current ones; other limits stay. Not together with `limits` or `increaseLimits`. At most one per metric, period and set of models. An empty list changes nothing.
             * @example [
             *       {
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute"
             *       },
             *       {
             *         "max": "25.00",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month"
             *       },
             *       {
             *         "max": 20,
             *         "metric": "concurrency"
             *       }
             *     ]
             */
            setLimits?: components["schemas"]["Limit"][];
        };
        /** @description Current and new password. */
        ChangePassword: {
            /**
             * Format: password
             * @description Current password.
             * @example current horse battery staple
             */
            currentPassword: string;
            /**
             * Format: password
             * @description New password, 12–256 characters, not easy to guess.
             * @example correct horse battery staple
             */
            newPassword: string;
        };
        /** @description A response in OpenAI's format of chat completions. */
        ChatCompletion: {
            /**
             * @description The generated choices.
             * @example [
             *       {
             *         "finish_reason": "stop",
             *         "index": 0,
             *         "message": {
             *           "content": "Hello!",
             *           "role": "assistant"
             *         }
             *       }
             *     ]
             */
            choices?: {
                [key: string]: unknown;
            }[];
            /**
             * @description The model, as the request has named it.
             * @example gpt-mini
             */
            model?: string;
            /**
             * @description The tokens that the request has used.
             * @example {
             *       "completion_tokens": 3,
             *       "prompt_tokens": 12,
             *       "total_tokens": 15
             *     }
             */
            usage?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A request in OpenAI's format of chat completions. */
        ChatCompletionRequest: {
            /**
             * @description The most tokens per choice, reasoning included. Lowered to the most that the model can write.
             * @example 1000
             */
            max_completion_tokens?: number | null;
            /**
             * @description Older name of `max_completion_tokens`. Lowered to the most that the model can write.
             * @example 1000
             */
            max_tokens?: number | null;
            /**
             * @description The conversation so far.
             * @example [
             *       {
             *         "content": "Say hello.",
             *         "role": "user"
             *       }
             *     ]
             */
            messages: {
                [key: string]: unknown;
            }[];
            /**
             * @description Id or alias of the model.
             * @example gpt-mini
             */
            model: string;
            /**
             * @description Number of choices.
             * @example 1
             */
            n?: number | null;
            /**
             * @description Must not be true: what upstreams store, all organizations would share.
             * @example false
             * @enum {boolean|null}
             */
            store?: false | null;
            /**
             * @description Whether the text is sent as events while it is generated.
             * @example false
             */
            stream?: boolean | null;
            /**
             * @description With `include_usage`, the stream reports the tokens before its end.
             * @example {
             *       "include_usage": true
             *     }
             */
            stream_options?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Credentials of a service account, for `POST /auth/token`. */
        ClientCredentials: {
            /**
             * Format: uuid
             * @description `client_id` for `POST /auth/token`.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            clientId: string;
            /**
             * @description `client_secret` for `POST /auth/token`. Store it now: no other response contains it.
             * @example kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            clientSecret: string;
            /**
             * Format: uuid
             * @description Id of the service account.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
        };
        /** @description New API key settings. */
        CreateApiKey: {
            /**
             * @description IP addresses and CIDR ranges that the key may be used from. Null means all. Behind a proxy, `TRUST_PROXY` determines the address of the client.
             * @example [
             *       "203.0.113.7",
             *       "2001:db8::/32"
             *     ]
             */
            addresses?: string[] | null;
            /**
             * @description Whether the key is deleted 5 minutes after it has expired. Requires `expiresAt`. By default, an expired key stays listed.
             * @example false
             */
            deleteWhenExpired?: boolean;
            /**
             * Format: date-time
             * @description When the key expires, in the future. Without it, the key never expires. Required if the organization limits the lifetime of keys.
             * @example 2027-01-31T09:30:00Z
             */
            expiresAt?: string;
            /**
             * @description How much the key may use. At most one per metric, period and set of models. An empty list removes all limits.
             * @example [
             *       {
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute"
             *       },
             *       {
             *         "max": "25.00",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month"
             *       },
             *       {
             *         "max": 20,
             *         "metric": "concurrency"
             *       }
             *     ]
             */
            limits?: components["schemas"]["Limit"][];
            /**
             * @description Ids or aliases of the models, and names of the services, that the key may use. Null means all, including future ones; an empty list means none.
             * @example [
             *       "universal-sentence-encoder-lite"
             *     ]
             */
            models?: string[] | null;
            /**
             * @description Name of the API key. It need not be unique. Leading and trailing spaces are trimmed.
             * @example Search indexer
             */
            name: string;
            /**
             * @description A note. Everyone with `get-api-keys` can read it.
             * @example Owned by the search team
             */
            note?: string | null;
            /**
             * @description Tags, to find keys and to group usage by. Stored in lower case, sorted, with single spaces and none around them. An empty list removes all.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            tags?: string[];
        };
        /** @description Invited email and role. */
        CreateInvitation: {
            /**
             * @description Invited email, case-insensitive.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @description Id of the role for the new member.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            roleId: string;
        };
        /** @description New organization settings. */
        CreateOrganization: {
            /**
             * @description Name of the organization; not unique. Leading and trailing spaces are trimmed.
             * @example Research
             */
            name: string;
        };
        /** @description New role settings. */
        CreateRole: {
            /**
             * @description Name of the role, unique in the organization. Leading and trailing spaces are trimmed.
             * @example Key manager
             */
            name: string;
            /**
             * @description Permissions of the role. `GET /permissions` describes them.
             * @example [
             *       "create-api-keys",
             *       "get-api-keys"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
        };
        /** @description New service account settings. */
        CreateServiceAccount: {
            /**
             * @description Name of the service account. It need not be unique. Leading and trailing spaces are trimmed.
             * @example Deploy pipeline
             */
            name: string;
            /**
             * Format: uuid
             * @description Id of the role.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            roleId: string;
        };
        /** @description New webhook settings. */
        CreateWebhook: {
            /**
             * @description Whether events are sent.
             * @default true
             * @example true
             */
            enabled: boolean;
            /**
             * @description Types of events to send; see `GET /event-types`. Null means all, including future ones.
             * @default null
             * @example [
             *       "api_key.expiring",
             *       "limit.exhausted"
             *     ]
             */
            eventTypes: ("api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.disabled" | "api_key.enabled" | "api_key.deleted" | "api_key.expiring" | "api_key.expired" | "api_key.leaked" | "limit.threshold_reached" | "limit.exhausted" | "member.invited" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "role.created" | "role.updated" | "role.deleted" | "service_account.created" | "service_account.updated" | "service_account.rotated" | "service_account.deleted" | "organization.updated" | "sign_in.blocked" | "upstream.circuit_opened" | "upstream.circuit_closed" | "webhook.disabled" | "audit.checkpoint")[] | null;
            /**
             * @description URL that events are sent to with `POST`. Must begin with `https://` and lead to a public IP address; `WEBHOOK_ALLOWED_NETWORKS` allows others.
             * @example https://example.com/webhooks/keycard
             */
            url: string;
        };
        /** @description A new API key. */
        CreatedApiKey: {
            /**
             * @description The full API key. Store it now: no other response contains it.
             * @example kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            key: string;
        };
        /** @description A new invitation. Its link cannot be retrieved again. */
        CreatedInvitation: {
            /**
             * Format: date-time
             * @description When the invitation was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * @description Invited email, case-insensitive.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: date-time
             * @description When the invitation expires (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description Id of the invitation.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /** @description The user who sent the invitation; null if a service account did, or the account was deleted. */
            invitedBy: components["schemas"]["Inviter"] | null;
            /**
             * Format: uri
             * @description Link to send to the invited person. Only returned in this response. The value of `token` in it is the token for `POST /auth/accept-invitation`.
             * @example https://keycard.example.com/accept-invitation#token=EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0
             */
            link: string;
            /** @description The new member's role. */
            role: components["schemas"]["RoleReference"];
        };
        /** @description The API key of a request, for its holder. */
        CurrentApiKey: {
            /**
             * @description IP addresses and CIDR ranges that the key may be used from. Null means all. Behind a proxy, `TRUST_PROXY` determines the address of the client.
             * @example [
             *       "203.0.113.7",
             *       "2001:db8::/32"
             *     ]
             */
            addresses: string[] | null;
            /** @description What the key has cost this month; null without prices. */
            cost: components["schemas"]["MonthCost"] | null;
            /**
             * Format: date-time
             * @description When the key you sent stops working, because it expires or was rotated; null if it never does (ISO 8601, UTC, milliseconds).
             * @example 2027-01-31T09:30:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description First characters of the key you sent.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * @description Limits, sorted by metric, period and models. Empty without limits.
             * @example [
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute",
             *         "remaining": 480,
             *         "reserved": 0,
             *         "resetsAt": "2026-01-31T09:30:12.000Z",
             *         "used": 120
             *       },
             *       {
             *         "estimated": "0",
             *         "isIncreased": false,
             *         "max": "25",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month",
             *         "remaining": "23.75",
             *         "reserved": "0.05",
             *         "resetsAt": "2026-02-01T00:00:00.000Z",
             *         "used": "1.25"
             *       },
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 20,
             *         "metric": "concurrency",
             *         "remaining": 17,
             *         "reserved": 0,
             *         "resetsAt": null,
             *         "used": 3
             *       }
             *     ]
             */
            limits: components["schemas"]["LimitState"][];
            /**
             * @description Ids or aliases of the models, and names of the services, that the key may use. Null means all, including future ones; an empty list means none.
             * @example [
             *       "universal-sentence-encoder-lite"
             *     ]
             */
            models: string[] | null;
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
        };
        /** @description The organization the token is for. */
        CurrentOrganization: {
            /**
             * Format: uuid
             * @description Id of the organization.
             * @example 01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11
             */
            id: string;
            /**
             * @description Name of the organization.
             * @example Default
             */
            name: string;
            /**
             * @description IANA name of the time zone in which its days, weeks and months begin.
             * @example Europe/Berlin
             */
            timeZone: string;
        };
        /** @description The user's role in the organization. */
        CurrentRole: {
            /**
             * Format: uuid
             * @description Id of the role.
             * @example 01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e
             */
            id: string;
            /**
             * @description Name of the role.
             * @example Owner
             */
            name: string;
        };
        /** @description The signed-in user. */
        CurrentUser: {
            /**
             * @description Email for signing in.
             * @example admin@keycard.local
             */
            email: string;
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Kinds of mail that the user has turned off.
             * @example [
             *       "key-expiring"
             *     ]
             */
            mutedMail: ("key-expiring" | "limit-reached" | "webhook-disabled")[];
            /**
             * @description Name of the user.
             * @example Administrator
             */
            name: string;
            /**
             * Format: date-time
             * @description When single sign-on removed a password that was set before the email was verified; null if that was more than 30 days ago or never happened.
             * @example 2026-01-31T09:30:00.123Z
             */
            passwordRemovedAt: string | null;
        };
        /** @description The vector of one text. */
        Embedding: {
            /**
             * @description The vector: numbers, or base64 of little-endian 32-bit floats. Most models normalize it to length 1.
             * @example [
             *       0.0123,
             *       -0.0456
             *     ]
             */
            embedding: number[] | string;
            /**
             * @description Index of the text in `input`.
             * @example 0
             */
            index: number;
            /**
             * @description Always `embedding`.
             * @example embedding
             * @enum {string}
             */
            object: "embedding";
        };
        /** @description Texts to embed. */
        EmbeddingsRequest: {
            /**
             * @description Length of the vectors, at most the model's. Shorter vectors are truncated and normalized again.
             * @example 256
             */
            dimensions?: number;
            /**
             * @description Format of the vectors: numbers (the default), or base64 of little-endian 32-bit floats.
             * @example float
             * @enum {string}
             */
            encoding_format?: "float" | "base64";
            /**
             * @description A text, or 1 to 2048 texts. Texts must not be empty, and have at most 300000 tokens in total. Only upstream models accept token ids.
             * @example [
             *       "How do I reset my password?"
             *     ]
             */
            input: string | string[] | number[] | number[][];
            /**
             * @description Accepted for compatibility; ignored.
             * @example {
             *       "team": "search"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Id of the model.
             * @example universal-sentence-encoder-lite
             */
            model: string;
            /** @description Mistral's name for `dimensions`. Send only one of them. */
            output_dimension?: number | null;
            /**
             * @description Mistral's type of the numbers. Models inside Keycard return floats only.
             * @example float
             * @enum {string}
             */
            output_dtype?: "float" | "int8" | "uint8" | "binary" | "ubinary";
            /**
             * @description Accepted for compatibility; ignored.
             * @example user-1234
             */
            user?: string;
        };
        /** @description One vector for each text. */
        EmbeddingsResponse: {
            /** @description The vectors, in the order of the texts. */
            data: components["schemas"]["Embedding"][];
            /**
             * @description `embd-` and the request id, for models inside Keycard. Upstreams have their own, or none.
             * @example embd-0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f
             */
            id?: string;
            /**
             * @description Id of the model.
             * @example universal-sentence-encoder-lite
             */
            model: string;
            /**
             * @description Always `list`.
             * @example list
             * @enum {string}
             */
            object: "list";
            /** @description Usage of the request. */
            usage: components["schemas"]["EmbeddingsUsage"];
        };
        /** @description Usage of the request. */
        EmbeddingsUsage: {
            /**
             * @description Input tokens, counted by the model's tokenizer.
             * @example 8
             */
            prompt_tokens: number;
            /**
             * @description Same as `prompt_tokens`: embeddings have no output tokens.
             * @example 8
             */
            total_tokens: number;
        };
        /**
         * @description Kind of error.
         * @enum {string}
         */
        ErrorCode: "validation-failed" | "malformed-request" | "upstream-rejected" | "unsupported-grant-type" | "invalid-scope" | "missing-credential" | "wrong-credential" | "invalid-credential" | "sign-in-failed" | "invalid-client" | "missing-permission" | "organization-creation-denied" | "api-key-disabled" | "address-not-allowed" | "model-without-price" | "model-not-allowed" | "service-not-allowed" | "service-account-not-allowed" | "no-organization" | "invalid-signature" | "cross-site-request" | "access-denied" | "identity-refused" | "invitation-mismatch" | "password-sign-in-off" | "not-found" | "audit-proofs-off" | "invitation-expired" | "model-not-found" | "service-not-found" | "route-not-found" | "request-timeout" | "conflict" | "api-key-expired" | "idempotency-key-reused" | "payload-too-large" | "unsupported-media-type" | "expectation-failed" | "organization-moved" | "unreadable-document" | "pages-failed" | "no-text-found" | "headers-too-large" | "limit-exceeded" | "budget-exceeded" | "limit-reserved" | "larger-than-limit" | "larger-than-budget" | "upstream-rate-limited" | "too-many-requests" | "internal-error" | "upstream-failed" | "database-unavailable" | "organization-moving" | "overloaded" | "engine-unavailable" | "upstream-unavailable" | "identity-provider-unavailable" | "not-ready" | "upstream-timeout";
        /**
         * @description A type of event, such as `api_key.created`.
         * @enum {string}
         */
        EventType: "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.disabled" | "api_key.enabled" | "api_key.deleted" | "api_key.expiring" | "api_key.expired" | "api_key.leaked" | "limit.threshold_reached" | "limit.exhausted" | "member.invited" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "role.created" | "role.updated" | "role.deleted" | "service_account.created" | "service_account.updated" | "service_account.rotated" | "service_account.deleted" | "organization.updated" | "sign_in.blocked" | "upstream.circuit_opened" | "upstream.circuit_closed" | "webhook.disabled" | "audit.checkpoint" | "webhook.test";
        /** @description A type of event, with its description and an example. */
        EventTypeDetails: {
            /**
             * @description Whether webhooks can choose it.
             * @example true
             */
            choosable: boolean;
            /**
             * @description When it happens.
             * @example An API key was created.
             */
            description: string;
            /**
             * @description An example of the body that webhooks get.
             * @example {
             *       "data": {
             *         "actor": {
             *           "email": "grace@example.com",
             *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
             *           "kind": "user",
             *           "name": null
             *         },
             *         "apiKey": {
             *           "hint": "kc_4fT9q",
             *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
             *           "name": "Search indexer"
             *         },
             *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
             *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
             *       },
             *       "timestamp": "2026-01-31T09:30:00.123Z",
             *       "type": "api_key.created"
             *     }
             */
            example: {
                [key: string]: unknown;
            };
            /**
             * @description Identifier of the type.
             * @example api_key.created
             */
            name: components["schemas"]["EventType"];
        };
        /** @description All types of events. */
        EventTypeList: {
            /** @description All types, by subject. */
            eventTypes: components["schemas"]["EventTypeDetails"][];
        };
        /** @description A limit that rejected a request. */
        ExceededLimit: {
            /**
             * @description Maximum in one period, or number of running requests. A decimal string in the currency of the models file for `cost`, otherwise an integer.
             * @example 600
             */
            max: number | string;
            /**
             * @description What is limited: requests, tokens, document pages, the cost of requests, or how many requests run at the same time.
             * @example requests
             * @enum {string}
             */
            metric: "requests" | "tokens" | "pages" | "cost" | "concurrency";
            /**
             * @description Ids of models, without aliases. The limit counts only requests to these. Omitted for all models.
             * @example [
             *       "gpt-mini"
             *     ]
             */
            models?: string[];
            /**
             * @description What the request needed. If it is more than `max`, the request never fits.
             * @example 1
             */
            needed: number | string;
            /**
             * @description What the limit applies to: the key, or all keys of the organization together.
             * @example api-key
             * @enum {string}
             */
            owner: "api-key" | "organization";
            /**
             * @description Period; omitted for `concurrency`. With `second`, `minute` and `hour`, the limit refills continuously; with `day`, `week`, `month`, it is a budget for each calendar day, week (from Monday) or month in the organization's time zone. `second` is only for requests. Costs are limited per `day`, `week`, `month`.
             * @example minute
             * @enum {string}
             */
            per?: "second" | "minute" | "hour" | "day" | "week" | "month";
        };
        /** @description A failed request, without its body. */
        FailedRequest: {
            /**
             * @description IP address of the client; null if unknown.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description `error.code` in the response that the client received; null if the error has none, or the response broke off.
             * @example model_not_allowed
             */
            clientCode: string | null;
            /**
             * @description Error code, as in the list of errors. `response-incomplete` if the response broke off or the client disconnected.
             * @example model-not-allowed
             */
            code: string;
            /**
             * @description The limit that rejected the request, as it was then; null for other failures.
             * @example null
             */
            exceededLimit: components["schemas"]["ExceededLimit"] | null;
            /**
             * @description Fields that the error is about, such as `input`, without their values. Invisible characters are replaced, and long names and API keys shortened.
             * @example []
             */
            invalidFields: string[];
            /**
             * @description Id of the model, or name of the service; null if the request had none, or failed before it was known.
             * @example universal-sentence-encoder-lite
             */
            model: string | null;
            /**
             * Format: date-time
             * @description When it failed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            occurredAt: string;
            /**
             * @description What to do about it, as in the list of errors, or for the state of the key; null for codes of other releases.
             * @example Choose a model listed by `GET /v1/models`, or add the model to the key.
             */
            remedy: string | null;
            /**
             * @description Request ID, as in the `x-request-id` response header and the log.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            requestId: string;
            /**
             * @description Model or service that the client named, even if it is unknown; null if the request failed before it was read. Invisible characters are replaced, and long names and API keys shortened.
             * @example universal-sentence-encoder-lite
             */
            requestedModel: string | null;
            /**
             * @description Method and path pattern.
             * @example POST /v1/embeddings
             */
            route: string;
            /**
             * @description HTTP status code. 499 if the client disconnected before the response began.
             * @example 403
             */
            status: number;
            /**
             * @description Summary of the code.
             * @example Model not allowed
             */
            title: string;
        };
        /** @description The latest failed requests of an API key. */
        FailedRequestList: {
            /** @description Newest first. */
            failures: components["schemas"]["FailedRequest"][];
        };
        /** @description Number of failed requests with a status and code. */
        FailureCount: {
            /**
             * @description Number of API keys with such requests.
             * @example 1
             */
            apiKeyCount: number;
            /** @description API keys with the most of these requests, highest first. */
            apiKeys: components["schemas"]["FailureKey"][];
            /**
             * @description `error.code` in the response that the client received; null if the error has none, or the response broke off.
             * @example model_not_allowed
             */
            clientCode: string | null;
            /**
             * @description Error code, as in the list of errors. `response-incomplete` if the response broke off or the client disconnected.
             * @example model-not-allowed
             */
            code: string;
            /**
             * @description What to do about it, as in the list of errors, or for the state of the key; null for codes of other releases.
             * @example Choose a model listed by `GET /v1/models`, or add the model to the key.
             */
            remedy: string | null;
            /**
             * @description Number of requests.
             * @example 12
             */
            requests: number;
            /**
             * @description HTTP status code. 499 if the client disconnected before the response began.
             * @example 403
             */
            status: number;
            /**
             * @description Summary of the code.
             * @example Model not allowed
             */
            title: string;
        };
        /** @description An API key with failed requests. */
        FailureKey: {
            /**
             * @description First characters of the key.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Whether the key has been deleted.
             * @example false
             */
            isDeleted: boolean;
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
            /**
             * @description Number of requests.
             * @example 12
             */
            requests: number;
        };
        /** @description Failed requests of an organization in a period, by status and code. */
        FailureReport: {
            /** @description Counts, highest first. */
            failures: components["schemas"]["FailureCount"][];
            /**
             * Format: date-time
             * @description Start of the period (inclusive).
             * @example 2026-01-30T00:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period (exclusive).
             * @example 2026-02-01T00:00:00.000Z
             */
            to: string;
        };
        /** @description A problem with one field of the request. */
        FieldError: {
            /**
             * @description Field or query parameter.
             * @example name
             */
            field: string;
            /**
             * @description What is allowed.
             * @example name must have 2 to 100 characters.
             */
            message: string;
        };
        /** @description A step of the checklist of a new organization. */
        FirstStep: {
            /**
             * @description Whether it is done.
             * @example true
             */
            isDone: boolean;
            /**
             * @description `key`: create an API key. `request`: send a request with it. `limit`: limit a key or the organization. `invitation`: invite a member. `model`: configure a model besides those embedded by default.
             * @example key
             * @enum {string}
             */
            name: "key" | "request" | "limit" | "invitation" | "model";
        };
        /** @description A person who left the organization or was removed, as they were at the time. */
        FormerMember: {
            /**
             * @description Whether the person `left`, or was `removed`: by a member, by the identity provider or with their account. Null if the audit log no longer has the event.
             * @example removed
             * @enum {string|null}
             */
            departure: "left" | "removed" | null;
            /**
             * @description Email of the user.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: date-time
             * @description When the user became a member; null if it is unknown (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            joinedAt: string | null;
            /**
             * @description Name of the user.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * Format: date-time
             * @description When the membership ended (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            removedAt: string;
            /** @description Who removed them. Null if they left, or `departure` is null. Absent without the permission `get-audit-events`. */
            removedBy?: components["schemas"]["MemberRemover"] | null;
            /**
             * @description Name of their last role; null if it is unknown.
             * @example Key manager
             */
            role: string | null;
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            userId: string;
        };
        /** @description One page of former members. */
        FormerMemberList: {
            /** @description Former members on this page, removed last first. */
            formerMembers: components["schemas"]["FormerMember"][];
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description A person or service account with events in the audit log. */
        FoundAuditActor: {
            /**
             * @description Email of a user in the events; null for service accounts.
             * @example ada@example.com
             */
            email: string | null;
            /**
             * Format: uuid
             * @description Id of the user or service account, which may have been removed since; null if the account is unknown.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string | null;
            /**
             * @description Kind of actor.
             * @example user
             * @enum {string}
             */
            kind: "user" | "service-account";
            /**
             * @description Name of a service account, or of a user; of a former member, when they left. Null for users who never were members, and for all users without the permission `get-members`.
             * @example Ada Lovelace
             */
            name: string | null;
        };
        /** @description An API key with events in the audit log. */
        FoundAuditKey: {
            /**
             * @description Earlier name that matches the search; absent if the current or last one does.
             * @example billing
             */
            formerName?: string;
            /**
             * @description First characters of its secret; absent if no event has them.
             * @example kc_4fT9q
             */
            hint?: string;
            /**
             * Format: uuid
             * @description Id of the key, to filter events by `targetId`.
             * @example 01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e
             */
            id: string;
            /**
             * @description Whether the key has been deleted.
             * @example false
             */
            isDeleted: boolean;
            /**
             * @description Name of the key; of a deleted one, its last.
             * @example billing-prod
             */
            name: string;
        };
        /** @description The API keys that have requests with an ID. */
        FoundRequests: {
            /** @description Those with the latest requests first; empty if no request with this ID is kept. */
            apiKeys: components["schemas"]["ApiKeyOfRequest"][];
        };
        /** @description A response in Anthropic's format. */
        GeneratedMessage: {
            /**
             * @description The generated blocks.
             * @example [
             *       {
             *         "text": "Hello!",
             *         "type": "text"
             *       }
             *     ]
             */
            content?: {
                [key: string]: unknown;
            }[];
            /**
             * @description The model, as the request has named it.
             * @example gpt-mini
             */
            model?: string;
            /**
             * @description The tokens that the request has used.
             * @example {
             *       "input_tokens": 12,
             *       "output_tokens": 3
             *     }
             */
            usage?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A response in OpenAI's format of responses. */
        GeneratedResponse: {
            /**
             * @description The model, as the request has named it.
             * @example gpt-mini
             */
            model?: string;
            /**
             * @description The generated items.
             * @example [
             *       {
             *         "content": [
             *           {
             *             "text": "Hello!",
             *             "type": "output_text"
             *           }
             *         ],
             *         "role": "assistant",
             *         "type": "message"
             *       }
             *     ]
             */
            output?: {
                [key: string]: unknown;
            }[];
            /**
             * @description The tokens that the request has used.
             * @example {
             *       "input_tokens": 12,
             *       "output_tokens": 3,
             *       "total_tokens": 15
             *     }
             */
            usage?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Health of this replica. */
        Health: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        /** @description The identity provider. */
        IdentityProvider: {
            /**
             * @description Host of the provider.
             * @example id.example.com
             */
            name: string;
            /**
             * @description Path to send the browser to, with `?returnTo=` and the path to return to.
             * @example /auth/oidc/start
             */
            startUrl: string;
        };
        /** @description The temporary increase of limits that each have their own maximum. */
        IncreaseLimit: {
            /** @description Replaces the current increase. Null removes it. */
            increase: components["schemas"]["LimitIncrease"] | null;
            /**
             * @description The metric of the limits.
             * @example cost
             * @enum {string}
             */
            metric: "requests" | "tokens" | "pages" | "cost" | "concurrency";
            /**
             * @description The models of the limits, in any order. Omitted for limits on all models.
             * @example [
             *       "gpt-mini"
             *     ]
             */
            models?: string[] | null;
            /**
             * @description The period of the limits; omitted for `concurrency`.
             * @example month
             * @enum {string}
             */
            per?: "second" | "minute" | "hour" | "day" | "week" | "month";
        };
        /** @description A pending invitation. */
        Invitation: {
            /**
             * Format: date-time
             * @description When the invitation was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * @description Invited email, case-insensitive.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: date-time
             * @description When the invitation expires (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description Id of the invitation.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /** @description The user who sent the invitation; null if a service account did, or the account was deleted. */
            invitedBy: components["schemas"]["Inviter"] | null;
            /** @description The new member's role. */
            role: components["schemas"]["RoleReference"];
        };
        /** @description One page of invitations. */
        InvitationList: {
            /** @description Invitations on this page, newest first. */
            invitations: components["schemas"]["Invitation"][];
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description An open invitation. */
        InvitationPreview: {
            /**
             * @description Invited email.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: date-time
             * @description When the invitation expires (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            expiresAt: string;
            /**
             * @description Whether the invited email has an account. Only returned to that account.
             * @example true
             */
            hasAccount?: boolean;
            /**
             * @description Whether that account has a password. Only returned to that account.
             * @example true
             */
            hasPassword?: boolean;
            /** @description The organization to join. */
            organization: components["schemas"]["InvitingOrganization"];
            /** @description The role that the new member will have. */
            role: components["schemas"]["RoleReference"];
        };
        /** @description Invitation token. */
        InvitationToken: {
            /**
             * @description Value of `token` in the invitation link.
             * @example EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0
             */
            token: string;
        };
        /** @description The user who invited someone. */
        Inviter: {
            /**
             * Format: email
             * @description Email of the user.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Name of the user.
             * @example Ada Lovelace
             */
            name: string;
        };
        /** @description The inviting organization. */
        InvitingOrganization: {
            /**
             * Format: uuid
             * @description Id of the organization.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Name of the organization.
             * @example Research
             */
            name: string;
        };
        /** @description An audit event, or the latest of several of one kind that an actor caused in one request. */
        LatestChange: {
            /**
             * @description Action.
             * @example api-key.update
             */
            action: components["schemas"]["AuditAction"];
            /** @description Who performed the action. */
            actor: components["schemas"]["AuditActor"];
            /**
             * @description IP address of the client; `unknown` if a proxy forwarded something else, and `service` for events of the service itself.
             * @example 203.0.113.7
             */
            address: string;
            /**
             * @description New values of the same fields.
             * @example {
             *       "name": "Search indexer"
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Previous values of the changed fields. Never includes secrets.
             * @example {
             *       "name": "Search"
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Number of affected resources, such as 15 deleted keys; for `webhook.redeliver`, number of events. Absent for a single event. Counts only the organization's latest 1,000 events.
             * @example 15
             */
            count?: number;
            /**
             * Format: uuid
             * @description Id of the event.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, by the database's clock (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            occurredAt: string;
            /**
             * @description Request that caused it, as in the `x-request-id` response header. Null for events of the service itself and of the operator, and for those of earlier releases.
             * @example 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f
             */
            requestId: string | null;
            /** @description The affected resource. */
            target: components["schemas"]["AuditTarget"];
            /**
             * @description `User-Agent` of the client.
             * @example curl/8.5.0
             */
            userAgent: string | null;
        };
        /** @description Whether a reported secret is an API key. */
        LeakLabel: {
            /**
             * @description `true_positive` for a secret of an API key, also after the report revoked it.
             * @example true_positive
             * @enum {string}
             */
            label: "true_positive" | "false_positive";
            /**
             * @description The secret, as reported.
             * @example kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            token_raw: string;
            /**
             * @description The kind of secret, as reported.
             * @example keycard_api_key
             */
            token_type: string;
        };
        /** @description A label for each report, in the same order. */
        LeakLabelList: components["schemas"]["LeakLabel"][];
        /** @description A secret that was found, in the format of GitHub's secret scanning. Unknown fields are ignored. */
        LeakedKeyReport: {
            /**
             * @description Kind of place, such as `commit`.
             * @example content
             */
            source?: string;
            /**
             * @description The secret.
             * @example kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            token: string;
            /**
             * @description Name of the kind of secret, which the response repeats.
             * @default keycard_api_key
             * @example keycard_api_key
             */
            type: string;
            /**
             * @description Where it was found: an http or https URL, or empty.
             * @example https://github.com/example/repository/blob/main/.env
             */
            url?: string;
        };
        /** @description Secrets that were found. */
        LeakedKeyReportList: components["schemas"]["LeakedKeyReport"][];
        /** @description How much an API key, or all keys of an organization together, may use. */
        Limit: {
            /** @description Raises `max` until a time. It stays, without effect, until it is removed. */
            increase?: components["schemas"]["LimitIncrease"] | null;
            /**
             * @description Maximum in one period, or number of running requests. A decimal string in the currency of the models file for `cost`, otherwise an integer.
             * @example 600
             */
            max: number | string;
            /**
             * @description What is limited: requests, tokens, document pages, the cost of requests, or how many requests run at the same time.
             * @example requests
             * @enum {string}
             */
            metric: "requests" | "tokens" | "pages" | "cost" | "concurrency";
            /**
             * @description Ids of models, without aliases. The limit counts only requests to these. Omitted for all models.
             * @example [
             *       "gpt-mini"
             *     ]
             */
            models?: string[] | null;
            /**
             * @description Percentages of the maximum. When the charged amount reaches one, the audit log gets an event `limit.threshold`, once in each period. Only for `day`, `week`, `month`.
             * @example [
             *       50,
             *       80,
             *       100
             *     ]
             */
            notifyAt?: number[] | null;
            /**
             * @description Period; omitted for `concurrency`. With `second`, `minute` and `hour`, the limit refills continuously; with `day`, `week`, `month`, it is a budget for each calendar day, week (from Monday) or month in the organization's time zone. `second` is only for requests. Costs are limited per `day`, `week`, `month`.
             * @example minute
             * @enum {string}
             */
            per?: "second" | "minute" | "hour" | "day" | "week" | "month";
        };
        /** @description Raises the maximum of a limit until a time. */
        LimitIncrease: {
            /**
             * @description What is added to `max`. A decimal string in the currency of the models file for `cost`, otherwise an integer.
             * @example 5.00
             */
            by: number | string;
            /**
             * Format: date-time
             * @description When the increase ends (ISO 8601, UTC, milliseconds).
             * @example 2026-12-01T00:00:00.000Z
             */
            until: string;
        };
        /** @description A limit as it was set, without its state. */
        LimitSettings: {
            /** @description Raises `max` until a time. It stays, without effect, until it is removed. */
            increase?: components["schemas"]["LimitIncrease"];
            /**
             * @description Maximum in one period, or number of running requests. A decimal string in the currency of the models file for `cost`, otherwise an integer.
             * @example 600
             */
            max: number | string;
            /**
             * @description What is limited: requests, tokens, document pages, the cost of requests, or how many requests run at the same time.
             * @example requests
             * @enum {string}
             */
            metric: "requests" | "tokens" | "pages" | "cost" | "concurrency";
            /**
             * @description Ids of models, without aliases. The limit counts only requests to these. Omitted for all models.
             * @example [
             *       "gpt-mini"
             *     ]
             */
            models?: string[];
            /**
             * @description Percentages of the maximum. When the charged amount reaches one, the audit log gets an event `limit.threshold`, once in each period. Only for `day`, `week`, `month`.
             * @example [
             *       50,
             *       80,
             *       100
             *     ]
             */
            notifyAt?: number[];
            /**
             * @description Period; omitted for `concurrency`. With `second`, `minute` and `hour`, the limit refills continuously; with `day`, `week`, `month`, it is a budget for each calendar day, week (from Monday) or month in the organization's time zone. `second` is only for requests. Costs are limited per `day`, `week`, `month`.
             * @example minute
             * @enum {string}
             */
            per?: "second" | "minute" | "hour" | "day" | "week" | "month";
        };
        /** @description A limit and its current state. */
        LimitState: {
            /**
             * @description Part of `used` that was charged as reserved, because the upstream never reported the usage.
             * @example 0
             */
            estimated: number | string;
            /** @description Raises `max` until a time. It stays, without effect, until it is removed. */
            increase?: components["schemas"]["LimitIncrease"];
            /**
             * @description Whether `increase` applies now.
             * @example false
             */
            isIncreased: boolean;
            /**
             * @description Maximum in one period, or number of running requests. A decimal string in the currency of the models file for `cost`, otherwise an integer.
             * @example 600
             */
            max: number | string;
            /**
             * @description What is limited: requests, tokens, document pages, the cost of requests, or how many requests run at the same time.
             * @example requests
             * @enum {string}
             */
            metric: "requests" | "tokens" | "pages" | "cost" | "concurrency";
            /**
             * @description Ids of models, without aliases. The limit counts only requests to these. Omitted for all models.
             * @example [
             *       "gpt-mini"
             *     ]
             */
            models?: string[];
            /**
             * @description Percentages of the maximum. When the charged amount reaches one, the audit log gets an event `limit.threshold`, once in each period. Only for `day`, `week`, `month`.
             * @example [
             *       50,
             *       80,
             *       100
             *     ]
             */
            notifyAt?: number[];
            /**
             * @description Period; omitted for `concurrency`. With `second`, `minute` and `hour`, the limit refills continuously; with `day`, `week`, `month`, it is a budget for each calendar day, week (from Monday) or month in the organization's time zone. `second` is only for requests. Costs are limited per `day`, `week`, `month`.
             * @example minute
             * @enum {string}
             */
            per?: "second" | "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description Amount left, with an increase that applies now.
             * @example 480
             */
            remaining: number | string;
            /**
             * @description Part of `used` that running requests reserve. They return what they turn out not to need.
             * @example 0
             */
            reserved: number | string;
            /**
             * Format: date-time
             * @description When the limit is fully available again, if it isn't used until then; null for `concurrency` (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            resetsAt: string | null;
            /**
             * @description Amount used, including reservations of running requests; of `concurrency`, the number of running requests. Can exceed `max`.
             * @example 120
             */
            used: number | string;
        };
        /** @description API key metadata in a list. The full key is never included. */
        ListedApiKey: {
            /**
             * Format: date-time
             * @description When the key was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /** @description The user who created the key, in lists with `include=creator`; absent if unknown. */
            createdBy?: components["schemas"]["ApiKeyCreator"];
            /** @description The service account that created the key, in lists with `include=creator`; absent if none did. */
            createdByServiceAccount?: components["schemas"]["ApiKeyCreatingServiceAccount"];
            /**
             * @description False for a disabled key; otherwise absent.
             * @example false
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description When the key expires or expired; absent if it never expires (ISO 8601, UTC, milliseconds).
             * @example 2027-01-31T09:30:00.000Z
             */
            expiresAt?: string;
            /** @description The limit in money (`cost`) closest to its maximum; absent without one. Only with `include=use`. */
            fullestCostLimit?: components["schemas"]["LimitState"];
            /** @description The limit closest to its maximum; absent without limits. Only with `include=use`. */
            fullestLimit?: components["schemas"]["LimitState"];
            /**
             * @description First characters of the key.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /** @description Former members and deleted service accounts that know a secret of the key that is still accepted, from creating or rotating it. Only of active keys. Only with `include=knownToFormerMembers`. */
            knownToFormerMembers?: components["schemas"]["ApiKeyFormerHolder"][];
            /**
             * Format: date-time
             * @description When the key was last used, accurate to two seconds; absent if it was never used (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            lastUsedAt?: string;
            /**
             * Format: date-time
             * @description When a secret of the key was first reported as leaked; absent if none was, or if it was revoked since (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            leakedAt?: string;
            /**
             * @description Limits, sorted by metric, period and models; empty without limits. Only with `include=limits`. `GET /api-keys/{id}` also returns their state.
             * @example [
             *       {
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute"
             *       },
             *       {
             *         "max": "25",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month"
             *       }
             *     ]
             */
            limits?: components["schemas"]["LimitSettings"][];
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
            /**
             * Format: date-time
             * @description When the previous secret expires; absent if none is accepted (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretExpiresAt?: string;
            /** @description Usage on the last seven UTC days. Only with `include=use` and the permission `get-usage`. */
            recentUsage?: components["schemas"]["ApiKeyRecentUsage"];
            /**
             * @description Tags, to find keys and to group usage by. In lower case and sorted. Absent without tags.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            tags?: string[];
            /**
             * Format: date-time
             * @description When the key was last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description The signed-in user, with organization, role and permissions. */
        Me: {
            /**
             * @description Whether the user may create organizations.
             * @example true
             */
            canCreateOrganizations: boolean;
            /** @description The organization the token is for. */
            organization: components["schemas"]["CurrentOrganization"];
            /**
             * @description Permissions of the user, including those from additional roles that an identity provider assigns.
             * @example [
             *       "create-api-keys",
             *       "get-api-keys"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
            /** @description The user's role in the organization. */
            role: components["schemas"]["CurrentRole"];
            /** @description The signed-in user. */
            user: components["schemas"]["CurrentUser"];
        };
        /** @description A user in the organization. */
        Member: {
            /**
             * @description Email for signing in.
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @description Id of the membership.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description When the user became a member (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            joinedAt: string;
            /**
             * @description Name of the user.
             * @example Ada Lovelace
             */
            name: string;
            /** @description The member's role. */
            role: components["schemas"]["RoleReference"];
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            userId: string;
        };
        /** @description One page of members. */
        MemberList: {
            /** @description Members on this page, in the order of joining. */
            members: components["schemas"]["Member"][];
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description Who removed a member. */
        MemberRemover: {
            /**
             * Format: uuid
             * @description Id of the user or service account, which may be gone since; null for others.
             * @example 01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22
             */
            id: string | null;
            /**
             * @description What it is. `operator` is the command line, which also deletes accounts.
             * @example user
             * @enum {string}
             */
            kind: "user" | "service-account" | "identity-provider" | "operator";
            /**
             * @description Name of the user or service account, or the email of a user whose name is unknown; null for others.
             * @example Grace Hopper
             */
            name: string | null;
        };
        /** @description Confirmation of a change. */
        Message: {
            /**
             * @description Confirmation for people.
             * @example The role was deleted.
             */
            message: string;
        };
        /** @description A request in Anthropic's format. */
        MessageRequest: {
            /**
             * @description The most tokens. Anthropic requires it. Lowered to the most that the model can write.
             * @example 1000
             */
            max_tokens?: number | null;
            /**
             * @description The conversation so far.
             * @example [
             *       {
             *         "content": "Say hello.",
             *         "role": "user"
             *       }
             *     ]
             */
            messages: {
                [key: string]: unknown;
            }[];
            /**
             * @description Id or alias of the model.
             * @example gpt-mini
             */
            model: string;
            /**
             * @description Whether the text is sent as events while it is generated.
             * @example false
             */
            stream?: boolean | null;
        };
        /** @description Number of tokens of a message, in Anthropic's format. */
        MessageTokenCount: {
            /**
             * @description Number of input tokens.
             * @example 12
             */
            input_tokens: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A model. */
        Model: {
            /**
             * @description Capabilities in Mistral's format. Only `ocr` can be true.
             * @example {
             *       "classification": false,
             *       "completion_chat": false,
             *       "completion_fim": false,
             *       "fine_tuning": false,
             *       "function_calling": false,
             *       "ocr": false,
             *       "vision": false
             *     }
             */
            capabilities: {
                classification: boolean;
                completion_chat: boolean;
                completion_fim: boolean;
                fine_tuning: boolean;
                function_calling: boolean;
                ocr: boolean;
                vision: boolean;
            };
            /**
             * @description Publication time in Unix seconds.
             * @example 1522281600
             */
            created: number;
            /**
             * @description Id or alias of the model, for `model` in requests.
             * @example universal-sentence-encoder-lite
             */
            id: string;
            /**
             * @description Languages that the model was trained for, as ISO 639-1 codes; null if unknown. Other languages get vectors too, but meaningless ones. Keycard extension.
             * @example [
             *       "en"
             *     ]
             */
            languages: string[] | null;
            /**
             * @description Always `model`.
             * @example model
             * @enum {string}
             */
            object: "model";
            /**
             * @description Owner of the model.
             * @example keycard
             */
            owned_by: string;
            /**
             * @description Route of the model: `POST /v1/embeddings`, `POST /v1/ocr`, `POST /v1/chat/completions`. Keycard extension.
             * @example embeddings
             * @enum {string}
             */
            task: "embeddings" | "ocr" | "generation";
            /**
             * @description Always `base`. Required by Mistral's clients.
             * @example base
             * @enum {string}
             */
            type: "base";
        };
        /** @description Embedded engine of a model, and its limits. */
        ModelEngine: {
            /**
             * @description Length of the vectors. Only for embeddings models, once they are loaded.
             * @example 512
             */
            dimensions?: number;
            /**
             * @description Maximum size of a document, decoded from base64. Only for OCR models.
             * @example 52428800
             */
            maxDocumentBytes?: number;
            /**
             * @description Maximum number of pages per document. Only for OCR models.
             * @example 1000
             */
            maxDocumentPages?: number;
            /**
             * @description Maximum number of texts per request. Only for embeddings models.
             * @example 2048
             */
            maxInputs?: number;
            /**
             * @description Maximum number of tokens per request, over all texts. Only for embeddings models.
             * @example 300000
             */
            maxTokens?: number;
            /**
             * @description Maximum number of tokens per text. Only for embeddings models, once they are loaded.
             * @example 8192
             */
            maxTokensPerInput?: number;
            /**
             * @description Name of the engine.
             * @example tesseract
             * @enum {string}
             */
            name: "universal-sentence-encoder-lite" | "tesseract" | "tesseract-native" | "static" | "transformers";
            /**
             * @description `idle` before the first request, `failed` if the engine could not be loaded or run.
             * @example ready
             * @enum {string}
             */
            state: "idle" | "ready" | "failed";
        };
        /** @description The available models. */
        ModelList: {
            /** @description The models. */
            data: components["schemas"]["Model"][];
            /**
             * @description Always `list`.
             * @example list
             * @enum {string}
             */
            object: "list";
        };
        /** @description Price of a model, from the models file. Amounts are exact decimals. */
        ModelPrice: {
            /** @description Prices of requests with many input tokens, ascending. */
            above?: components["schemas"]["PriceAbove"][];
            /**
             * @description ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description Prices of the tokens that the model uses. */
            perMillionTokens?: components["schemas"]["TokenPrices"];
            /**
             * @description Price of each request, in addition to what it uses.
             * @example 0.001
             */
            perRequest?: string;
            /**
             * @description Price per thousand document pages. Only for OCR models.
             * @example 1
             */
            perThousandPages?: string;
        };
        /** @description Upstream that serves a model, and its health as seen by the replica that sent this response. */
        ModelUpstream: {
            /**
             * @description `closed`: gets requests. `open`: gets none for a while, after repeated failures. `half-open`: one request decides.
             * @example closed
             * @enum {string}
             */
            circuit: "closed" | "half-open" | "open";
            /**
             * @description Share of failures among the last 200 requests; null without any.
             * @example 0.015
             */
            errorShare: number | null;
            /**
             * @description Host name of the upstream, with its port if it is unusual.
             * @example api.openai.com
             */
            host: string;
            /** @description The last failure since the replica started; null without any. */
            lastError: components["schemas"]["UpstreamError"] | null;
            /**
             * @description The upstream's name for the model.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description 95th percentile of the time until the response began, over the last 200 successful responses; null without any.
             * @example 84.213
             */
            p95Milliseconds: number | null;
            /**
             * @description Share of the requests.
             * @example 0.75
             */
            share: number;
        };
        /** @description What an API key has cost in a month. */
        MonthCost: {
            /**
             * @description Cost of all requests that have a price, at the prices when they were made. An exact decimal.
             * @example 1.25
             */
            amount: string;
            /**
             * @description Currency of the models file, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The current month, in the organization's time zone.
             * @example 2026-01
             */
            month: string;
        };
        /** @description An organization of the signed-in user. */
        MyOrganization: {
            /**
             * Format: date-time
             * @description When the organization was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organization.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Maximum lifetime of new API keys, in days of 24 hours. With a limit, keys require an `expiresAt` within it; existing keys are not affected. Null means no limit.
             * @example 90
             */
            longestKeyLifetimeDays: number | null;
            /**
             * @description Name of the organization.
             * @example Research
             */
            name: string;
            /**
             * @description What happens to an API key that is reported as leaked. `disable` disables it, `delete` deletes it. If only the secret from before the last rotation leaked, both revoke that secret. `notify` changes nothing.
             * @example disable
             * @enum {string}
             */
            onLeak: "notify" | "disable" | "delete";
            /** @description The user's role in the organization. */
            role: components["schemas"]["RoleReference"];
            /**
             * @description IANA time zone, in which the days, weeks and months of limits begin. A change keeps what was charged in the current period; the next one begins in the new time zone.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * Format: date-time
             * @description When the settings were last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description The organizations of the signed-in user. */
        MyOrganizationList: {
            /** @description Organizations of the user, in the order of joining. */
            organizations: components["schemas"]["MyOrganization"][];
        };
        /** @description A delivery that was added to the queue. */
        NewWebhookDelivery: {
            /**
             * Format: uuid
             * @description Id of the delivery.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
        };
        /** @description An error of `POST /auth/token` (RFC 6749 §5.2). */
        OAuthError: {
            /**
             * @description Kind of error.
             * @example invalid_client
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable" | "server_error";
            /**
             * @description What went wrong and how to fix it.
             * @example The client id or the client secret is wrong.
             */
            error_description: string;
        };
        /** @description Confidence of a page. */
        OcrConfidenceScores: {
            /**
             * @description Mean confidence of its words.
             * @example 0.93
             */
            average_page_confidence_score: number;
            /**
             * @description Lowest confidence of its words.
             * @example 0.93
             */
            minimum_page_confidence_score: number;
            /** @description Confidence of each word, in the order of the Markdown; only for the granularity `word`. */
            word_confidence_scores?: components["schemas"]["OcrWordConfidence"][];
        };
        /** @description A document by URL. */
        OcrDocumentUrl: {
            /**
             * @description Accepted for compatibility; ignored.
             * @example invoice.pdf
             */
            document_name?: string | null;
            /**
             * @description A `data:` URL in base64, or a URL to fetch. The type is detected from the content.
             * @example data:application/pdf;base64,JVBERi0xLjcK
             */
            document_url: string;
            /**
             * @description Optional.
             * @example document_url
             * @enum {string}
             */
            type?: "document_url";
        };
        /** @description A document uploaded to an upstream. Embedded models reject it. */
        OcrFile: {
            /**
             * @description Id of the file at the upstream.
             * @example 00edaf84-95b0-45db-8f83-f71138491f23
             */
            file_id: string;
            /**
             * @description Optional.
             * @example file
             * @enum {string}
             */
            type?: "file";
        };
        /** @description A picture on a page. Its corners are in pixels of the page's `dimensions`. */
        OcrImage: {
            /**
             * @description Right edge.
             * @example 844
             */
            bottom_right_x: number | null;
            /**
             * @description Bottom edge.
             * @example 890
             */
            bottom_right_y: number | null;
            /**
             * @description Name in the Markdown: `![img-0.jpeg](img-0.jpeg)`. Unique in the response.
             * @example img-0.jpeg
             */
            id: string;
            /**
             * @description Annotation of the picture. Upstream models may return it; null with others.
             * @example null
             */
            image_annotation?: string | null;
            /**
             * @description The picture, as a `data:` URL; null without `include_image_base64`, or if it is too large.
             * @example data:image/jpeg;base64,/9j/4AAQSkZJRg==
             */
            image_base64?: string | null;
            /**
             * @description Left edge.
             * @example 128
             */
            top_left_x: number | null;
            /**
             * @description Top edge.
             * @example 412
             */
            top_left_y: number | null;
        };
        /** @description An image by URL. */
        OcrImageDetail: {
            /**
             * @description Images are always read at full resolution.
             * @example auto
             * @enum {string|null}
             */
            detail?: "auto" | "high" | null;
            /**
             * @description A `data:` URL in base64, or a URL to fetch.
             * @example data:image/png;base64,iVBORw0KGgo=
             */
            url: string;
        };
        /** @description An image by URL. */
        OcrImageUrl: {
            /**
             * @description A `data:` URL in base64, or a URL to fetch, as a string or in an object.
             * @example data:image/png;base64,iVBORw0KGgo=
             */
            image_url: string | components["schemas"]["OcrImageDetail"];
            /**
             * @description Optional.
             * @example image_url
             * @enum {string}
             */
            type?: "image_url";
        };
        /** @description One page. */
        OcrPage: {
            /**
             * @description Positions of blocks. Upstream models may return them; null with others.
             * @example null
             */
            blocks?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * @description Keycard extension. Mean confidence of the words, weighted by length: 1 for a digital page, null without words.
             * @example 0.93
             */
            confidence?: number | null;
            /** @description Confidence of the page; null without `confidence_scores_granularity`, and for a page without words. */
            confidence_scores?: components["schemas"]["OcrConfidenceScores"] | null;
            /** @description Size of the image that was read; null if the page could not be read. */
            dimensions: components["schemas"]["OcrPageDimensions"] | null;
            /** @description Only for a page that could not be read, while others could. */
            error?: components["schemas"]["OcrPageError"];
            /**
             * @description Running footer: text in the margin that pages nearby repeat, or a page number. Null if there is none, and without `extract_footer`, when it is part of the Markdown.
             * @example Page 7
             */
            footer?: string | null;
            /**
             * @description Running header: text in the margin that pages nearby repeat, or a page number. Null if there is none, and without `extract_header`, when it is part of the Markdown.
             * @example Harbour report 2024
             */
            header?: string | null;
            /**
             * @description Links. Upstream models may return them; empty with others.
             * @example []
             */
            hyperlinks: string[];
            /** @description Pictures on the page, in the order of their references in the Markdown. Models inside Keycard find up to 32 on a PDF page, and none in images. */
            images: components["schemas"]["OcrImage"][];
            /**
             * @description Zero-based position in the document.
             * @example 0
             */
            index: number;
            /**
             * @description Keycard extension. Languages of the data that the page was recognized with, the main one first; empty for a page with digital text.
             * @example [
             *       "deu"
             *     ]
             */
            languages?: string[];
            /**
             * @description The text, as Markdown.
             * @example # Invoice
             *
             *     Due in 30 days
             */
            markdown: string;
            /**
             * @description Tables outside the Markdown. Upstream models may return them; empty with others.
             * @example []
             */
            tables: {
                [key: string]: unknown;
            }[];
            /** @description Keycard extension. Null for pages that were read well, and for blank pages. */
            warning?: components["schemas"]["OcrPageWarning"] | null;
        };
        /** @description Size of the image that was read. */
        OcrPageDimensions: {
            /**
             * @description Pixels per inch.
             * @example 200
             */
            dpi: number;
            /**
             * @description In pixels.
             * @example 2339
             */
            height: number;
            /**
             * @description In pixels.
             * @example 1654
             */
            width: number;
        };
        /** @description Why a page could not be read. */
        OcrPageError: {
            /**
             * @description The reason.
             * @example Page 3 took longer than 60 s to read.
             */
            message: string;
        };
        /** @description Why a person or another model should check a page. */
        OcrPageWarning: {
            /**
             * @description `no_text_found`: no text was found, although the page isn't blank. `low_confidence`: text may be wrong.
             * @example low_confidence
             * @enum {string}
             */
            code: "no_text_found" | "low_confidence";
            /**
             * @description The reason, and what to do.
             * @example Much of the text may be wrong. Send a sharper scan, or check the text.
             */
            message: string;
        };
        /** @description A document to read. */
        OcrRequest: {
            /** @description Response format of image annotations. Only upstream models support it; others accept null and false. */
            bbox_annotation_format?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Whether to return confidence scores, for pages only or also for words. Only upstream models support `block`.
             * @example page
             * @enum {string|null}
             */
            confidence_scores_granularity?: "page" | "word" | "block" | null;
            /**
             * @description The document, of at most 50 MB and 1,000 pages.
             * @example {
             *       "document_url": "data:application/pdf;base64,JVBERi0xLjcK",
             *       "type": "document_url"
             *     }
             */
            document: components["schemas"]["OcrDocumentUrl"] | components["schemas"]["OcrImageUrl"] | components["schemas"]["OcrFile"];
            /** @description Response format of the document annotation. Only upstream models support it; others accept null and false. */
            document_annotation_format?: {
                [key: string]: unknown;
            } | null;
            /** @description Instructions for the document annotation. Only upstream models support it; others accept null and false. */
            document_annotation_prompt?: string | null;
            /**
             * @description Whether to return running footers in `footer` instead of the Markdown; false by default.
             * @example true
             */
            extract_footer?: boolean | null;
            /**
             * @description Whether to return running headers in `header` instead of the Markdown; false by default.
             * @example true
             */
            extract_header?: boolean | null;
            /**
             * @description Accepted for compatibility; ignored.
             * @example request-1234
             */
            id?: string | null;
            /**
             * @description Maximum number of pictures in the response. A page has at most 32.
             * @example 10
             */
            image_limit?: number | null;
            /**
             * @description Minimum width and height of pictures, in pixels of the page's `dimensions`; 40 by default.
             * @example 100
             */
            image_min_size?: number | null;
            /**
             * @description Whether to return `blocks` of pages. Only upstream models do; others ignore it.
             * @example true
             */
            include_blocks?: boolean | null;
            /**
             * @description Whether to return the pictures of PDF pages in `image_base64`; false by default.
             * @example true
             */
            include_image_base64?: boolean | null;
            /**
             * @description Keycard extension. Languages to expect, the most likely first; the model's own by default. Their data must be installed.
             * @example [
             *       "deu",
             *       "eng"
             *     ]
             */
            languages?: (string[] | null) | string;
            /**
             * @description Id of the model.
             * @example tesseract
             */
            model: string;
            /**
             * @description Zero-based pages to read: an array, or a string such as `0,2-4`. Null means all.
             * @example [
             *       0,
             *       1
             *     ]
             */
            pages?: (number[] | null) | string;
            /**
             * @description Format of tables, which are then returned separately. Only upstream models support it; others accept null and false.
             * @enum {string|null}
             */
            table_format?: "markdown" | "html" | null;
        };
        /** @description The text of a document, page by page. */
        OcrResponse: {
            /**
             * @description Annotation of the document. Upstream models may return one; null with others.
             * @example null
             */
            document_annotation?: string | null;
            /**
             * @description Id or alias of the model, from the request.
             * @example tesseract
             */
            model: string;
            /** @description The requested pages, in ascending order. */
            pages: components["schemas"]["OcrPage"][];
            /** @description Usage of the request. */
            usage_info: components["schemas"]["OcrUsage"];
        };
        /** @description A document to read, as a form. */
        OcrUpload: {
            /**
             * @description Whether to return confidence scores, for pages only or also for words.
             * @enum {string}
             */
            confidence_scores_granularity?: "page" | "word";
            /** @description Whether to return running footers in `footer` instead of the Markdown; false by default. */
            extract_footer?: boolean;
            /** @description Whether to return running headers in `header` instead of the Markdown; false by default. */
            extract_header?: boolean;
            /**
             * Format: binary
             * @description The document, of at most 50 MB and 1,000 pages. Its type is detected from its content.
             * @example invoice.pdf
             */
            file: Blob;
            /** @description Accepted for compatibility; ignored. */
            id?: string;
            /** @description Maximum number of pictures in the response. A page has at most 32. */
            image_limit?: number;
            /** @description Minimum width and height of pictures, in pixels of the page's `dimensions`; 40 by default. */
            image_min_size?: number;
            /** @description Whether to return the pictures of PDF pages in `image_base64`; false by default. */
            include_image_base64?: boolean;
            /** @description Keycard extension. Languages to expect, the most likely first; the model's own by default. Their data must be installed. Separated by commas. */
            languages?: string;
            /**
             * @description Id of the model.
             * @example tesseract
             */
            model: string;
            /** @description Zero-based pages to read, such as `0,2-4`; all by default. */
            pages?: string;
        };
        /** @description Usage of the request. */
        OcrUsage: {
            /**
             * @description Size of the document, in bytes.
             * @example 48213
             */
            doc_size_bytes: number;
            /**
             * @description Number of pages read.
             * @example 1
             */
            pages_processed: number;
        };
        /** @description Confidence of one word. */
        OcrWordConfidence: {
            /**
             * @description From 0 to 1.
             * @example 0.93
             */
            confidence: number;
            /**
             * @description Start of the word in the page's Markdown, in UTF-16 code units.
             * @example 0
             */
            start_index: number;
            /**
             * @description The word.
             * @example Invoice
             */
            text: string;
        };
        /** @description An error of an AI route, in OpenAI's format (`error`) and Mistral's (the other fields). */
        OpenAiError: {
            /**
             * @description Kind of error; null if the status is specific enough.
             * @example model_not_found
             * @enum {string|null}
             */
            code: null | "upstream_rejected" | "invalid_api_key" | "missing_permission" | "api_key_disabled" | "address_not_allowed" | "model_without_price" | "model_not_allowed" | "service_not_allowed" | "model_not_found" | "service_not_found" | "request_timeout" | "organization_moved" | "unreadable_document" | "pages_failed" | "no_text_found" | "rate_limit_exceeded" | "insufficient_quota" | "internal_error" | "upstream_failed" | "database_unavailable" | "organization_moving" | "overloaded" | "engine_unavailable" | "upstream_unavailable" | "identity_provider_unavailable" | "not_ready" | "upstream_timeout";
            /** @description Details of the error. */
            error: components["schemas"]["OpenAiErrorDetail"];
            /**
             * @description What went wrong and how to fix it.
             * @example The model 'gpt-9' does not exist.
             */
            message: string;
            /**
             * @description Always `error`.
             * @example error
             * @enum {string}
             */
            object: "error";
            /**
             * @description The invalid parameter.
             * @example model
             */
            param: string | null;
            /**
             * @description `invalid_request_error` for 4xx, `rate_limit_error` for 429, `server_error` for 5xx.
             * @example invalid_request_error
             * @enum {string}
             */
            type: "invalid_request_error" | "rate_limit_error" | "insufficient_quota" | "server_error";
        };
        /** @description Details of an error. */
        OpenAiErrorDetail: {
            /**
             * @description Kind of error; null if the status is specific enough.
             * @example model_not_found
             * @enum {string|null}
             */
            code: null | "upstream_rejected" | "invalid_api_key" | "missing_permission" | "api_key_disabled" | "address_not_allowed" | "model_without_price" | "model_not_allowed" | "service_not_allowed" | "model_not_found" | "service_not_found" | "request_timeout" | "organization_moved" | "unreadable_document" | "pages_failed" | "no_text_found" | "rate_limit_exceeded" | "insufficient_quota" | "internal_error" | "upstream_failed" | "database_unavailable" | "organization_moving" | "overloaded" | "engine_unavailable" | "upstream_unavailable" | "identity_provider_unavailable" | "not_ready" | "upstream_timeout";
            /**
             * @description What went wrong and how to fix it.
             * @example The model 'gpt-9' does not exist.
             */
            message: string;
            /**
             * @description The invalid parameter.
             * @example model
             */
            param: string | null;
            /**
             * @description `invalid_request_error` for 4xx, `rate_limit_error` for 429, `server_error` for 5xx.
             * @example invalid_request_error
             * @enum {string}
             */
            type: "invalid_request_error" | "rate_limit_error" | "insufficient_quota" | "server_error";
        };
        /** @description An organization and its settings. */
        Organization: {
            /**
             * Format: date-time
             * @description When the organization was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organization.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Maximum lifetime of new API keys, in days of 24 hours. With a limit, keys require an `expiresAt` within it; existing keys are not affected. Null means no limit.
             * @example 90
             */
            longestKeyLifetimeDays: number | null;
            /**
             * @description Name of the organization.
             * @example Research
             */
            name: string;
            /**
             * @description What happens to an API key that is reported as leaked. `disable` disables it, `delete` deletes it. If only the secret from before the last rotation leaked, both revoke that secret. `notify` changes nothing.
             * @example disable
             * @enum {string}
             */
            onLeak: "notify" | "disable" | "delete";
            /**
             * @description IANA time zone, in which the days, weeks and months of limits begin. A change keeps what was charged in the current period; the next one begins in the new time zone.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * Format: date-time
             * @description When the settings were last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description An organization, its settings and its limits. */
        OrganizationDetails: {
            /**
             * Format: date-time
             * @description When the organization was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organization.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Limits, sorted by metric, period and models. Empty without limits.
             * @example [
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute",
             *         "remaining": 480,
             *         "reserved": 0,
             *         "resetsAt": "2026-01-31T09:30:12.000Z",
             *         "used": 120
             *       },
             *       {
             *         "estimated": "0",
             *         "isIncreased": false,
             *         "max": "25",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month",
             *         "remaining": "23.75",
             *         "reserved": "0.05",
             *         "resetsAt": "2026-02-01T00:00:00.000Z",
             *         "used": "1.25"
             *       },
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 20,
             *         "metric": "concurrency",
             *         "remaining": 17,
             *         "reserved": 0,
             *         "resetsAt": null,
             *         "used": 3
             *       }
             *     ]
             */
            limits: components["schemas"]["LimitState"][];
            /**
             * @description Maximum lifetime of new API keys, in days of 24 hours. With a limit, keys require an `expiresAt` within it; existing keys are not affected. Null means no limit.
             * @example 90
             */
            longestKeyLifetimeDays: number | null;
            /**
             * @description Name of the organization.
             * @example Research
             */
            name: string;
            /**
             * @description What happens to an API key that is reported as leaked. `disable` disables it, `delete` deletes it. If only the secret from before the last rotation leaked, both revoke that secret. `notify` changes nothing.
             * @example disable
             * @enum {string}
             */
            onLeak: "notify" | "disable" | "delete";
            /**
             * @description IANA time zone, in which the days, weeks and months of limits begin. A change keeps what was charged in the current period; the next one begins in the new time zone.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * Format: date-time
             * @description When the settings were last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description The state of an organization. Parts that need a permission the caller lacks are absent. */
        Overview: {
            /**
             * Format: date-time
             * @description When this was read, by the service's clock (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            at: string;
            /** @description What may need attention, one entry per kind, most urgent first. Keys need `get-api-keys`, webhooks `get-webhooks`, and members `get-members`. */
            attention: components["schemas"]["Attention"][];
            /** @description The latest audit events that changed something, newest first. Events of one kind that one request caused are grouped. Needs `get-audit-events`. */
            changes?: components["schemas"]["LatestChange"][];
            /**
             * @description What the current month will probably cost: the cost so far, and for each remaining day the average of its weekday in the last four weeks. With less than a week of costs, the month so far is continued; null without costs, or before 5% of the month have passed. An exact decimal with up to nine decimals. Needs `get-usage`.
             * @example 31.2
             */
            costForecast?: string | null;
            /**
             * @description Currency of costs (ISO 4217).
             * @example USD
             */
            currency: string;
            /** @description Checklist of an organization in its first 30 days, in order. Absent once all steps are done. Leaves out steps whose state the caller may not see. */
            firstSteps?: components["schemas"]["FirstStep"][];
            /**
             * Format: date-time
             * @description When the keys in `attention` were read. With many keys, up to a minute before `at`, unless a key was changed, or a member or service account was removed, since. Needs `get-api-keys`. (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            keysReadAt?: string;
            /**
             * @description Limits, sorted by metric, period and models. Empty without limits.
             * @example [
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute",
             *         "remaining": 480,
             *         "reserved": 0,
             *         "resetsAt": "2026-01-31T09:30:12.000Z",
             *         "used": 120
             *       },
             *       {
             *         "estimated": "0",
             *         "isIncreased": false,
             *         "max": "25",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month",
             *         "remaining": "23.75",
             *         "reserved": "0.05",
             *         "resetsAt": "2026-02-01T00:00:00.000Z",
             *         "used": "1.25"
             *       },
             *       {
             *         "estimated": 0,
             *         "isIncreased": false,
             *         "max": 20,
             *         "metric": "concurrency",
             *         "remaining": 17,
             *         "reserved": 0,
             *         "resetsAt": null,
             *         "used": 3
             *       }
             *     ]
             */
            limits: components["schemas"]["LimitState"][];
            /** @description Usage in the current month, by day. Needs `get-usage`. */
            month?: components["schemas"]["RecentUsage"];
            /** @description Names of the people in `changes`. Absent with them, and empty without the permission `get-members`. */
            people?: components["schemas"]["AuditPerson"][];
            /** @description Usage in the same part of the previous month, as `GET /usage` has it. Absent if some of it is deleted already. Needs `get-usage`. */
            previousMonth?: components["schemas"]["PreviousMonthUsage"];
            /**
             * @description The organization's time zone, in which days and months begin.
             * @example Europe/Berlin
             */
            timeZone: string;
            /** @description Usage today, by hour. Needs `get-usage`. */
            today?: components["schemas"]["RecentUsage"];
        };
        /** @description The account that can sign in with the new password. */
        PasswordReset: {
            /**
             * Format: email
             * @description Email of the account.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Confirmation for people.
             * @example The password was set.
             */
            message: string;
        };
        /**
         * @description A permission, such as `create-api-keys`.
         * @enum {string}
         */
        Permission: "create-api-keys" | "get-api-keys" | "update-api-keys" | "delete-api-keys" | "get-usage" | "update-organization" | "delete-organization" | "get-members" | "create-members" | "update-members" | "delete-members" | "get-service-accounts" | "create-service-accounts" | "update-service-accounts" | "delete-service-accounts" | "get-roles" | "create-roles" | "update-roles" | "delete-roles" | "get-webhooks" | "create-webhooks" | "update-webhooks" | "delete-webhooks" | "get-audit-events";
        /** @description A permission, with its description and group. */
        PermissionDetails: {
            /**
             * @description Description of the permission.
             * @example Create API keys
             */
            description: string;
            /**
             * @description Group in which the permission is shown.
             * @example API keys
             * @enum {string}
             */
            group: "API keys" | "Usage" | "Organization" | "Members" | "Service accounts" | "Roles" | "Webhooks" | "Audit log";
            /**
             * @description Identifier of the permission.
             * @example create-api-keys
             */
            name: components["schemas"]["Permission"];
        };
        /** @description All permissions. */
        PermissionList: {
            /** @description All permissions, ordered by group. */
            permissions: components["schemas"]["PermissionDetails"][];
        };
        /** @description A current or former member of the organization. */
        Person: {
            /**
             * @description Email of the user.
             * @example ada@example.com
             */
            email: string;
            /** @description The membership that ended; absent for a member. */
            formerMember?: components["schemas"]["FormerMember"];
            /**
             * Format: uuid
             * @description Id of the user.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /** @description The membership; absent for a former member. */
            member?: components["schemas"]["Member"];
            /**
             * @description Name of the user; of former members, when they left.
             * @example Ada Lovelace
             */
            name: string;
        };
        /** @description A browser or client in which a member is signed in. */
        PersonSession: {
            /**
             * @description IP address of the sign-in or last refresh; `unknown` if a proxy forwarded something else.
             * @example 203.0.113.7
             */
            address: string;
            /**
             * Format: date-time
             * @description When the user signed in (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the session.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description When the session was opened or last refreshed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            lastUsedAt: string;
            /**
             * @description `User-Agent` of the sign-in or last refresh.
             * @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
             */
            userAgent: string | null;
        };
        /** @description Sessions of a member in this organization. */
        PersonSessionList: {
            /** @description The sessions, most recently used first. */
            sessions: components["schemas"]["PersonSession"][];
        };
        /** @description Usage in the part of the previous month that the current one is compared with. */
        PreviousMonthUsage: {
            /**
             * Format: date-time
             * @description The same for costs, which may have begun later, with the first price.
             * @example 2025-12-28T00:00:00.000Z
             */
            costFrom?: string;
            /**
             * Format: date-time
             * @description Start of the previous month, in the organization's time zone (inclusive).
             * @example 2025-12-01T00:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the part (exclusive): the same minute as now, extended to a whole UTC hour, or the end of a shorter month.
             * @example 2025-12-31T10:00:00.000Z
             */
            to: string;
            /** @description Usage in this part. */
            totals: components["schemas"]["UsageSums"];
            /**
             * Format: date-time
             * @description Start of the first day with usage, if usage began within this part, whose totals are then those of fewer days.
             * @example 2025-12-28T00:00:00.000Z
             */
            usageFrom?: string;
        };
        /** @description Prices of requests with many input tokens. */
        PriceAbove: {
            /**
             * @description The prices apply to the whole of each request with more input tokens than this.
             * @example 200000
             */
            inputTokens: number;
            /** @description The prices that differ from those of smaller requests. */
            perMillionTokens: components["schemas"]["TokenPrices"];
        };
        /** @description An error of a management route (RFC 9457). */
        Problem: {
            /**
             * Format: uuid
             * @description For `idempotency-key-reused`: id of the API key that the earlier request created or rotated.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            apiKeyId?: string;
            /**
             * @description Kind of error.
             * @example validation-failed
             */
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong and how to fix it.
             * @example name must have 2 to 100 characters.
             */
            detail: string;
            /** @description Invalid fields, if the error concerns any. */
            errors?: components["schemas"]["FieldError"][];
            /**
             * @description Identifies this request in the log. Same as the `x-request-id` header.
             * @example 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f
             */
            requestId: string;
            /**
             * @description HTTP status code.
             * @example 400
             */
            status: number;
            /**
             * @description Summary of the kind of error.
             * @example Invalid request
             */
            title: string;
            /**
             * Format: uri
             * @description `urn:keycard:error:` followed by `code`.
             * @example urn:keycard:error:validation-failed
             */
            type: string;
        };
        /** @description Usage in the current day or month. */
        RecentUsage: {
            /**
             * Format: date-time
             * @description Start of the period, in the organization's time zone (inclusive).
             * @example 2026-01-31T00:00:00.000Z
             */
            from: string;
            /** @description Hours or days up to now, in order and without gaps. */
            points: components["schemas"]["RecentUsagePoint"][];
            /**
             * Format: date-time
             * @description End of the period (exclusive).
             * @example 2026-02-01T00:00:00.000Z
             */
            to: string;
            /** @description Usage so far. */
            totals: components["schemas"]["UsageSums"];
        };
        /** @description Usage in one hour or day. */
        RecentUsagePoint: {
            /**
             * @description Cost in `currency`, at the prices when the requests were made and without `unpricedRequests`. An exact decimal with up to nine decimals; null if no request had a price.
             * @example 0.000012
             */
            cost: string | null;
            /**
             * @description Number of requests whose response had a status of 400 or higher, or was incomplete.
             * @example 3
             */
            failures: number;
            /**
             * @description Number of input tokens, including cached ones.
             * @example 48000
             */
            inputTokens: number;
            /**
             * @description Number of output tokens, including reasoning.
             * @example 0
             */
            outputTokens: number;
            /**
             * @description Number of requests, including failed ones.
             * @example 1200
             */
            requests: number;
            /**
             * Format: date-time
             * @description Start of the hour or day (ISO 8601, UTC).
             * @example 2026-01-31T00:00:00.000Z
             */
            start: string;
            /**
             * @description Number of requests to models that had no price then, which `cost` leaves out.
             * @example 0
             */
            unpricedRequests: number;
        };
        /** @description A new access token, and the user it is for. */
        RefreshedSession: {
            /**
             * @description JWT, to be sent as `Authorization: Bearer <accessToken>`.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl
             */
            accessToken: string;
            /**
             * @description Lifetime of the token, in seconds.
             * @example 900
             */
            expiresIn: number;
            /** @description What `GET /auth/me` returns. Saves pages that start with a refresh a request. */
            me: components["schemas"]["Me"];
            /**
             * @description Token type.
             * @example Bearer
             * @enum {string}
             */
            tokenType: "Bearer";
        };
        /** @description Account whose password was forgotten. */
        RequestPasswordReset: {
            /**
             * Format: email
             * @description Email of the account.
             * @example ada@example.com
             */
            email: string;
        };
        /** @description Password reset token and new password. */
        ResetPassword: {
            /**
             * Format: password
             * @description New password, 12–256 characters, not easy to guess.
             * @example correct horse battery staple
             */
            newPassword: string;
            /**
             * @description Value of `token` in the link that `npm run admin -- reset-password` printed.
             * @example EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0
             */
            token: string;
        };
        /** @description A request in OpenAI's format of responses. */
        ResponseRequest: {
            /**
             * @description A text, or a list of items.
             * @example Say hello.
             */
            input: string | {
                [key: string]: unknown;
            }[];
            /**
             * @description The most tokens, reasoning included. Lowered to the most that the model can write.
             * @example 1000
             */
            max_output_tokens?: number | null;
            /**
             * @description Id or alias of the model.
             * @example gpt-mini
             */
            model: string;
            /**
             * @description Upstreams always get false: what they store, all organizations would share.
             * @example false
             * @enum {boolean|null}
             */
            store?: false | null;
            /**
             * @description Whether the text is sent as events while it is generated.
             * @example false
             */
            stream?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A named set of permissions in the organization. */
        Role: {
            /**
             * Format: date-time
             * @description When the role was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the role.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Number of pending and expired invitations with the role.
             * @example 1
             */
            invitationCount: number;
            /**
             * @description Number of members with the role.
             * @example 3
             */
            memberCount: number;
            /**
             * @description Name of the role, unique in the organization. Leading and trailing spaces are trimmed.
             * @example Key manager
             */
            name: string;
            /**
             * @description Permissions of the role. `GET /permissions` describes them.
             * @example [
             *       "create-api-keys",
             *       "get-api-keys"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
            /**
             * @description Number of service accounts with the role.
             * @example 1
             */
            serviceAccountCount: number;
            /**
             * Format: date-time
             * @description When the role was last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description The roles of the organization. */
        RoleList: {
            /** @description All roles, oldest first. */
            roles: components["schemas"]["Role"][];
        };
        /** @description A role. */
        RoleReference: {
            /**
             * Format: uuid
             * @description Id of the role.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Name of the role.
             * @example Key manager
             */
            name: string;
        };
        /** @description Rotation settings. */
        RotateApiKey: {
            /**
             * @description How long the current secret keeps working, in seconds. 0 revokes it immediately.
             * @example 3600
             */
            gracePeriodSeconds: number;
        };
        /** @description Rotation settings. */
        RotateClientSecret: {
            /**
             * @description How long the current client secret keeps working, in seconds. 0 revokes it immediately.
             * @example 3600
             */
            gracePeriodSeconds: number;
        };
        /** @description Rotation settings. */
        RotateWebhookSecret: {
            /**
             * @description How long deliveries are signed with the current secret too, in seconds. 0 stops it immediately.
             * @default 86400
             * @example 86400
             */
            gracePeriodSeconds: number;
        };
        /** @description A rotated API key. */
        RotatedApiKey: {
            /**
             * @description The full API key. Store it now: no other response contains it.
             * @example kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            key: string;
        };
        /** @description A model, and what serves it: an embedded engine or upstreams. */
        ServedModel: {
            /**
             * @description Other names of the model.
             * @example [
             *       "small"
             *     ]
             */
            aliases: string[];
            /**
             * @description Id of the model that gets requests too long for this one; null without one.
             * @example null
             */
            contextFallback: string | null;
            /** @description Engine that runs the model; null if upstreams serve it. */
            engine: components["schemas"]["ModelEngine"] | null;
            /**
             * @description Ids of the models that are tried, in order, if this one fails before its response begins.
             * @example []
             */
            fallbacks: string[];
            /**
             * @description Id of the model, for `model` in requests.
             * @example text-embedding-3-small
             */
            id: string;
            /**
             * @description Languages of the model, or null if they are unknown: ISO 639-1 codes for embeddings, codes of Tesseract data for the embedded OCR engine.
             * @example [
             *       "en"
             *     ]
             */
            languages: string[] | null;
            /**
             * @description Maximum number of output tokens per response of a generation model; null for other tasks.
             * @example null
             */
            maxOutputTokens: number | null;
            /**
             * @description Owner of the model.
             * @example openai
             */
            ownedBy: string;
            /** @description Price of the model; null without one. */
            price: components["schemas"]["ModelPrice"] | null;
            /**
             * @description Routes of a generation model, after `/v1/`; empty for other tasks.
             * @example []
             */
            routes: ("chat/completions" | "completions" | "responses" | "messages")[];
            /**
             * @description Route of the model: `POST /v1/embeddings`, `POST /v1/ocr`, `POST /v1/chat/completions`.
             * @example embeddings
             * @enum {string}
             */
            task: "embeddings" | "ocr" | "generation";
            /** @description Upstreams that serve the model; empty if an engine runs it. */
            upstreams: components["schemas"]["ModelUpstream"][];
        };
        /** @description Models and services that API keys can use. */
        ServedModels: {
            /** @description The models, in the order of the models file. */
            models: components["schemas"]["ServedModel"][];
            /**
             * @description Services that `/v1/authorize` protects, and that keys of your organization may use. `authorize` is the one of requests that name none.
             * @example [
             *       "authorize",
             *       "search"
             *     ]
             */
            services: string[];
        };
        /** @description A program's access to the management API. */
        ServiceAccount: {
            /**
             * Format: uuid
             * @description `client_id` for `POST /auth/token`.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            clientId: string;
            /**
             * Format: date-time
             * @description When the service account was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * @description First characters of the client secret.
             * @example kcs_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the service account.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description When it last got an access token; absent if it never did (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            lastUsedAt?: string;
            /**
             * @description Name of the service account. It need not be unique. Leading and trailing spaces are trimmed.
             * @example Deploy pipeline
             */
            name: string;
            /**
             * Format: date-time
             * @description When the previous client secret expires; absent if none is accepted (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretExpiresAt?: string;
            /** @description Role of the service account. */
            role: components["schemas"]["RoleReference"];
            /**
             * Format: date-time
             * @description When the service account was last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
        };
        /** @description A page of service accounts. */
        ServiceAccountList: {
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /** @description Service accounts on this page, newest first. */
            serviceAccounts: components["schemas"]["ServiceAccount"][];
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description A signed-in browser or client. */
        Session: {
            /**
             * @description IP address of the sign-in or last refresh; `unknown` if a proxy forwarded something else.
             * @example 203.0.113.7
             */
            address: string;
            /**
             * Format: date-time
             * @description When the user signed in.
             * @example 2026-07-01T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the session ends unless it is refreshed.
             * @example 2026-07-01T12:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description Id of the session.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Whether this is the session of the request.
             * @example true
             */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description When the session was opened or last refreshed.
             * @example 2026-07-01T12:00:00.000Z
             */
            lastUsedAt: string;
            /**
             * @description `User-Agent` of the sign-in or last refresh.
             * @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
             */
            userAgent: string | null;
        };
        /** @description The user's sessions. */
        SessionList: {
            /** @description The sessions, most recently used first. */
            sessions: components["schemas"]["Session"][];
        };
        /** @description Email and password. */
        SignIn: {
            /**
             * @description Email of the account, case-insensitive.
             * @example admin@keycard.local
             */
            email: string;
            /**
             * Format: password
             * @description Password of the account.
             * @example correct horse battery staple
             */
            password: string;
        };
        /** @description Available sign-in methods. */
        SignInMethods: {
            /**
             * @description Whether Keycard sends mail.
             * @example true
             */
            mail: boolean;
            /** @description The identity provider; null if there is none. */
            oidc: components["schemas"]["IdentityProvider"] | null;
            /**
             * @description Whether `POST /auth/sign-in` accepts an email and a password.
             * @example true
             */
            password: boolean;
            /**
             * @description Whether `POST /auth/request-password-reset` mails links.
             * @example true
             */
            passwordReset: boolean;
        };
        /** @description The organization to switch to. */
        SwitchOrganization: {
            /**
             * Format: uuid
             * @description Id of the organization.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            organizationId: string;
        };
        /** @description A response in OpenAI's format of text completions. */
        TextCompletion: {
            /**
             * @description The generated choices.
             * @example [
             *       {
             *         "finish_reason": "length",
             *         "index": 0,
             *         "text": " there was"
             *       }
             *     ]
             */
            choices?: {
                [key: string]: unknown;
            }[];
            /**
             * @description The model, as the request has named it.
             * @example gpt-mini
             */
            model?: string;
            /**
             * @description The tokens that the request has used.
             * @example {
             *       "completion_tokens": 3,
             *       "prompt_tokens": 12,
             *       "total_tokens": 15
             *     }
             */
            usage?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A request in OpenAI's format of text completions. */
        TextCompletionRequest: {
            /**
             * @description Number of texts that are generated, of which the best `n` are returned.
             * @example 1
             */
            best_of?: number | null;
            /**
             * @description The most tokens per choice. Lowered to the most that the model can write.
             * @example 1000
             */
            max_tokens?: number | null;
            /**
             * @description Id or alias of the model.
             * @example gpt-mini
             */
            model: string;
            /**
             * @description Number of choices.
             * @example 1
             */
            n?: number | null;
            /**
             * @description The text to continue, or several.
             * @example Once upon a time
             */
            prompt: string | string[];
            /**
             * @description Whether the text is sent as events while it is generated.
             * @example false
             */
            stream?: boolean | null;
            /**
             * @description With `include_usage`, the stream reports the tokens before its end.
             * @example {
             *       "include_usage": true
             *     }
             */
            stream_options?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Prices per million tokens, as exact decimals. */
        TokenPrices: {
            /**
             * @description Input tokens written to the upstream's cache; `input` by default.
             * @example 3.125
             */
            cacheWrite?: string;
            /**
             * @description Input tokens written to the upstream's cache for an hour; `cacheWrite` by default.
             * @example 5
             */
            cacheWrite1h?: string;
            /**
             * @description Input tokens read from the upstream's cache; `input` by default.
             * @example 0.25
             */
            cachedInput?: string;
            /**
             * @description Input tokens that no other kind counts.
             * @example 2.5
             */
            input?: string;
            /**
             * @description Output tokens that aren't reasoning.
             * @example 15
             */
            output?: string;
            /**
             * @description Output tokens used for reasoning; `output` by default.
             * @example 15
             */
            reasoning?: string;
        };
        /** @description Request for an access token (RFC 6749 §4.4). Other fields are ignored. */
        TokenRequest: {
            /**
             * Format: uuid
             * @description `clientId` of the service account. Omit it with HTTP Basic.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            client_id?: string;
            /**
             * Format: password
             * @description `clientSecret` of the service account. Omit it with HTTP Basic.
             * @example kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM
             */
            client_secret?: string;
            /**
             * @description Grant type.
             * @example client_credentials
             * @enum {string}
             */
            grant_type: "client_credentials";
        };
        /** @description Access token of a service account (RFC 6749 §5.1). */
        TokenResponse: {
            /**
             * @description JWT, to be sent as `Authorization: Bearer <access_token>`.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl
             */
            access_token: string;
            /**
             * @description Lifetime of the token, in seconds.
             * @example 900
             */
            expires_in: number;
            /**
             * @description Token type.
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
        };
        /** @description API key settings to change. Omitted fields stay the same. */
        UpdateApiKey: {
            /**
             * @description IP addresses and CIDR ranges that the key may be used from. Null means all. Behind a proxy, `TRUST_PROXY` determines the address of the client.
             * @example [
             *       "203.0.113.7",
             *       "2001:db8::/32"
             *     ]
             */
            addresses?: string[] | null;
            /**
             * @description Whether the key is accepted. Disabled keys are rejected with 403.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description When the key expires, in the future and within the limit of the organization. Null means never. An expired key works again.
             * @example 2027-01-31T09:30:00Z
             */
            expiresAt?: string | null;
            /**
             * @description How much the key may use. At most one per metric, period and set of models. An empty list removes all limits.
             * @example [
             *       {
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute"
             *       },
             *       {
             *         "max": "25.00",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month"
             *       },
             *       {
             *         "max": 20,
             *         "metric": "concurrency"
             *       }
             *     ]
             */
            limits?: components["schemas"]["Limit"][];
            /**
             * @description Ids or aliases of the models, and names of the services, that the key may use. Null means all, including future ones; an empty list means none.
             * @example [
             *       "universal-sentence-encoder-lite"
             *     ]
             */
            models?: string[] | null;
            /**
             * @description Name of the API key. It need not be unique. Leading and trailing spaces are trimmed.
             * @example Search indexer
             */
            name?: string;
            /**
             * @description A note. Everyone with `get-api-keys` can read it.
             * @example Owned by the search team
             */
            note?: string | null;
            /**
             * @description Tags, to find keys and to group usage by. Stored in lower case, sorted, with single spaces and none around them. An empty list removes all.
             * @example [
             *       "production",
             *       "search team"
             *     ]
             */
            tags?: string[];
        };
        /** @description Settings of your account to change. Omitted fields stay the same. */
        UpdateMe: {
            /**
             * @description Kinds of mail to turn off. Replaces the list. Mail about security can't be turned off.
             * @example [
             *       "key-expiring"
             *     ]
             */
            mutedMail?: ("key-expiring" | "limit-reached" | "webhook-disabled")[];
            /**
             * @description Your name. Leading and trailing spaces are trimmed.
             * @example Ada Lovelace
             */
            name?: string;
        };
        /** @description Member settings to change. */
        UpdateMember: {
            /**
             * Format: uuid
             * @description Id of the new role.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            roleId: string;
        };
        /** @description Settings to change. Omitted fields stay the same. */
        UpdateOrganization: {
            /**
             * @description How much all keys of the organization together may use. At most one per metric, period and set of models. An empty list removes all limits.
             * @example [
             *       {
             *         "max": 600,
             *         "metric": "requests",
             *         "per": "minute"
             *       },
             *       {
             *         "max": "25.00",
             *         "metric": "cost",
             *         "notifyAt": [
             *           50,
             *           80,
             *           100
             *         ],
             *         "per": "month"
             *       },
             *       {
             *         "max": 20,
             *         "metric": "concurrency"
             *       }
             *     ]
             */
            limits?: components["schemas"]["Limit"][];
            /**
             * @description Maximum lifetime of new API keys, in days of 24 hours. With a limit, keys require an `expiresAt` within it; existing keys are not affected. Null means no limit.
             * @example 90
             */
            longestKeyLifetimeDays?: number | null;
            /**
             * @description Name of the organization; not unique. Leading and trailing spaces are trimmed.
             * @example Research
             */
            name?: string;
            /**
             * @description What happens to an API key that is reported as leaked. `disable` disables it, `delete` deletes it. If only the secret from before the last rotation leaked, both revoke that secret. `notify` changes nothing.
             * @example disable
             * @enum {string}
             */
            onLeak?: "notify" | "disable" | "delete";
            /**
             * @description IANA time zone, in which the days, weeks and months of limits begin. A change keeps what was charged in the current period; the next one begins in the new time zone.
             * @example Europe/Berlin
             */
            timeZone?: string;
        };
        /** @description Role settings to change. Omitted fields stay the same. */
        UpdateRole: {
            /**
             * @description Name of the role, unique in the organization. Leading and trailing spaces are trimmed.
             * @example Key manager
             */
            name?: string;
            /**
             * @description Permissions of the role. `GET /permissions` describes them.
             * @example [
             *       "create-api-keys",
             *       "get-api-keys"
             *     ]
             */
            permissions?: components["schemas"]["Permission"][];
        };
        /** @description Service account settings to change. */
        UpdateServiceAccount: {
            /**
             * @description Name of the service account. It need not be unique. Leading and trailing spaces are trimmed.
             * @example Deploy pipeline
             */
            name?: string;
            /**
             * Format: uuid
             * @description Id of the new role.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            roleId?: string;
        };
        /** @description Webhook settings to change. */
        UpdateWebhook: {
            /**
             * @description Whether events are sent. Enabling retries waiting deliveries immediately.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Types of events to send; see `GET /event-types`. Null means all, including future ones.
             * @example [
             *       "api_key.expiring",
             *       "limit.exhausted"
             *     ]
             */
            eventTypes?: ("api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.disabled" | "api_key.enabled" | "api_key.deleted" | "api_key.expiring" | "api_key.expired" | "api_key.leaked" | "limit.threshold_reached" | "limit.exhausted" | "member.invited" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "role.created" | "role.updated" | "role.deleted" | "service_account.created" | "service_account.updated" | "service_account.rotated" | "service_account.deleted" | "organization.updated" | "sign_in.blocked" | "upstream.circuit_opened" | "upstream.circuit_closed" | "webhook.disabled" | "audit.checkpoint")[] | null;
            /**
             * @description URL that events are sent to with `POST`. Must begin with `https://` and lead to a public IP address; `WEBHOOK_ALLOWED_NETWORKS` allows others.
             * @example https://example.com/webhooks/keycard
             */
            url?: string;
        };
        /** @description Failure of an upstream. */
        UpstreamError: {
            /**
             * Format: date-time
             * @description When it happened (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            at: string;
            /**
             * @description What the upstream did.
             * @example responded 503
             */
            reason: string;
        };
        /** @description An API key with usage. */
        UsageApiKey: {
            /**
             * @description First characters of the key.
             * @example kc_4fT9q
             */
            hint: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Whether the key has been deleted.
             * @example false
             */
            isDeleted: boolean;
            /**
             * @description Name of the API key.
             * @example Search indexer
             */
            name: string;
        };
        /** @description The user or service account that created API keys. */
        UsageCreator: {
            /**
             * Format: uuid
             * @description Id of the user or service account.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description What it is: a member, a former member or a service account; `unknown` if it is deleted.
             * @example member
             * @enum {string}
             */
            kind: "member" | "former-member" | "service-account" | "unknown";
            /**
             * @description Name; null if the account is deleted, or if your role has neither `get-api-keys` nor, for users, `get-members` or, for service accounts, `get-service-accounts`.
             * @example Ada Lovelace
             */
            name: string | null;
        };
        /** @description Usage of one API key, of one model, of one tag, of one creator, or of everything. */
        UsageGroup: {
            /** @description The API key. Only with `groupBy=apiKey`. */
            apiKey?: components["schemas"]["UsageApiKey"];
            /**
             * Format: date-time
             * @description The same for costs of the group, which may have begun later, with the first price.
             * @example 2026-01-29T00:00:00.000Z
             */
            comparedCostFrom?: string;
            /**
             * Format: date-time
             * @description Start of the first day in `timeZone` with usage of the group, if that began within the period to compare with, so that `previousTotals` are those of a part of it. Only with `compareFrom`; with `groupBy=none`, the report has it.
             * @example 2026-01-29T00:00:00.000Z
             */
            comparedUsageFrom?: string;
            /** @description Creator of the API keys. Only with `groupBy=creator`. Absent for keys whose creator is unknown. */
            creator?: components["schemas"]["UsageCreator"];
            /**
             * @description Id of the model, or name of the service. Only with `groupBy=model`. Absent for requests that a limit rejected before their model was known.
             * @example universal-sentence-encoder-lite
             */
            model?: string;
            /** @description Intervals of the period, in order and without gaps. Empty with `interval=none`. */
            points: components["schemas"]["UsagePoint"][];
            /** @description Usage in the period to compare with. Only with `compareFrom`. */
            previousTotals?: components["schemas"]["UsageTotals"];
            /**
             * @description Tag of the API keys. Only with `groupBy=tag`. Absent for keys without tags or, with `tagPrefix`, without such a tag.
             * @example production
             */
            tag?: string;
            /** @description Usage in the period. */
            totals: components["schemas"]["UsageTotals"];
        };
        /**
         * @description What groups of a usage report are.
         * @enum {string}
         */
        UsageGroupBy: "apiKey" | "model" | "tag" | "creator" | "none";
        /**
         * @description Length of the intervals of a usage report.
         * @enum {string}
         */
        UsageInterval: "hour" | "day" | "none";
        /** @description Combined usage of the groups on other pages. With `groupBy=tag`, each request counts once. */
        UsageOthers: {
            /**
             * @description Number of groups on other pages.
             * @example 7
             */
            groupCount: number;
            /** @description Intervals of the period, in order and without gaps. Empty with `interval=none`. */
            points: components["schemas"]["UsagePoint"][];
            /** @description Usage in the period to compare with. Only with `compareFrom`. */
            previousTotals?: components["schemas"]["UsageTotals"];
            /** @description Usage in the period. */
            totals: components["schemas"]["UsageTotals"];
        };
        /** @description Usage in one interval. */
        UsagePoint: {
            /**
             * @description Number of input tokens that were written to the upstream's cache for an hour; part of `cacheWriteTokens`.
             * @example 0
             */
            cacheWrite1hTokens: number;
            /**
             * @description Number of input tokens that were written to the upstream's cache; part of `inputTokens`.
             * @example 0
             */
            cacheWriteTokens: number;
            /**
             * @description Number of input tokens that were read from the upstream's cache; part of `inputTokens`.
             * @example 0
             */
            cachedInputTokens: number;
            /**
             * @description Cost in `currency`, at the prices when the requests were made and without `unpricedRequests`. An exact decimal with up to nine decimals; null if no request had a price.
             * @example 0.000012
             */
            cost: string | null;
            /**
             * @description Number of requests whose upstream never reported their usage. They count with the most that they could have used.
             * @example 0
             */
            estimatedRequests: number;
            /**
             * @description Number of requests whose response had a status of 400 or higher, or was incomplete.
             * @example 3
             */
            failures: number;
            /**
             * @description Mean time from the arrival of a streamed request for generated text to its first token; null if there were none.
             * @example 412.5
             */
            firstTokenMilliseconds: number | null;
            /**
             * @description Number of input tokens, including cached ones.
             * @example 48000
             */
            inputTokens: number;
            /**
             * @description Number of requests rejected by a limit, which count neither as requests nor as failures.
             * @example 12
             */
            limited: number;
            /**
             * @description Median of the duration of requests, rounded up by at most 19%; null if there were none.
             * @example 10.767
             */
            medianMilliseconds: number | null;
            /**
             * @description Number of output tokens, including reasoning.
             * @example 0
             */
            outputTokens: number;
            /**
             * @description 95th percentile of the duration of requests, rounded up by at most 19%; null if there were none.
             * @example 30.443
             */
            p95Milliseconds: number | null;
            /**
             * @description 99th percentile of the duration of requests, rounded up by at most 19%; null if there were none.
             * @example 43.054
             */
            p99Milliseconds: number | null;
            /**
             * @description Number of document pages read.
             * @example 0
             */
            pages: number;
            /**
             * @description Number of output tokens that the model used for reasoning; part of `outputTokens`.
             * @example 0
             */
            reasoningTokens: number;
            /**
             * @description Number of requests, including failed ones.
             * @example 1200
             */
            requests: number;
            /**
             * Format: date-time
             * @description Start of the interval (ISO 8601, UTC).
             * @example 2026-01-31T00:00:00.000Z
             */
            start: string;
            /**
             * @description Number of requests to models that had no price then, which `cost` leaves out.
             * @example 0
             */
            unpricedRequests: number;
        };
        /** @description Usage of an organization in a period. */
        UsageReport: {
            /**
             * Format: date-time
             * @description The same for costs, which may have begun later, with the first price.
             * @example 2026-01-29T00:00:00.000Z
             */
            comparedCostFrom?: string;
            /**
             * Format: date-time
             * @description Start of the period to compare with (inclusive). Only with `compareFrom`.
             * @example 2026-01-28T00:00:00.000Z
             */
            comparedFrom?: string;
            /**
             * Format: date-time
             * @description End of the period to compare with (exclusive). Only with `compareFrom`.
             * @example 2026-01-30T00:00:00.000Z
             */
            comparedTo?: string;
            /**
             * Format: date-time
             * @description Start of the first day in `timeZone` with usage, if usage began within the period to compare with, whose totals are then those of a part of it. Only with `compareFrom` and `groupBy=none`.
             * @example 2026-01-29T00:00:00.000Z
             */
            comparedUsageFrom?: string;
            /**
             * @description Currency of costs (ISO 4217).
             * @example USD
             */
            currency: string;
            /**
             * Format: date-time
             * @description Start of the period (inclusive).
             * @example 2026-01-30T00:00:00.000Z
             */
            from: string;
            /**
             * @description How usage is grouped.
             * @example apiKey
             */
            groupBy: components["schemas"]["UsageGroupBy"];
            /** @description Groups, in the order of `orderBy`: by number of requests by default, highest first. Groups without usage are omitted, except with `groupBy=none`. With `compareFrom`, groups with usage in either period are included. */
            groups: components["schemas"]["UsageGroup"][];
            /**
             * Format: date-time
             * @description Usage before this time is kept by UTC day. Days in another `timeZone` then count the usage of the UTC day with the same date.
             * @example 2025-12-28T00:00:00.000Z
             */
            hourlyFrom: string;
            /**
             * @description Length of the interval of each point.
             * @example day
             */
            interval: components["schemas"]["UsageInterval"];
            /**
             * Format: date-time
             * @description Usage before this time is deleted.
             * @example 2024-12-28T00:00:00.000Z
             */
            keptFrom: string;
            /** @description The groups on other pages; absent if there are no other pages. */
            others?: components["schemas"]["UsageOthers"];
            /**
             * @description Time zone that defines days.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * Format: date-time
             * @description End of the period (exclusive).
             * @example 2026-02-01T00:00:00.000Z
             */
            to: string;
        };
        /** @description Usage, summed up. */
        UsageSums: {
            /**
             * @description Cost in `currency`, at the prices when the requests were made and without `unpricedRequests`. An exact decimal with up to nine decimals; null if no request had a price.
             * @example 0.000012
             */
            cost: string | null;
            /**
             * @description Number of requests whose response had a status of 400 or higher, or was incomplete.
             * @example 3
             */
            failures: number;
            /**
             * @description Number of input tokens, including cached ones.
             * @example 48000
             */
            inputTokens: number;
            /**
             * @description Number of output tokens, including reasoning.
             * @example 0
             */
            outputTokens: number;
            /**
             * @description Number of requests, including failed ones.
             * @example 1200
             */
            requests: number;
            /**
             * @description Number of requests to models that had no price then, which `cost` leaves out.
             * @example 0
             */
            unpricedRequests: number;
        };
        /** @description Usage totals. */
        UsageTotals: {
            /**
             * @description Number of input tokens that were written to the upstream's cache for an hour; part of `cacheWriteTokens`.
             * @example 0
             */
            cacheWrite1hTokens: number;
            /**
             * @description Number of input tokens that were written to the upstream's cache; part of `inputTokens`.
             * @example 0
             */
            cacheWriteTokens: number;
            /**
             * @description Number of input tokens that were read from the upstream's cache; part of `inputTokens`.
             * @example 0
             */
            cachedInputTokens: number;
            /**
             * @description Cost in `currency`, at the prices when the requests were made and without `unpricedRequests`. An exact decimal with up to nine decimals; null if no request had a price.
             * @example 0.000012
             */
            cost: string | null;
            /**
             * @description Number of requests whose upstream never reported their usage. They count with the most that they could have used.
             * @example 0
             */
            estimatedRequests: number;
            /**
             * @description Number of requests whose response had a status of 400 or higher, or was incomplete.
             * @example 3
             */
            failures: number;
            /**
             * @description Mean time from the arrival of a streamed request for generated text to its first token; null if there were none.
             * @example 412.5
             */
            firstTokenMilliseconds: number | null;
            /**
             * @description Number of input tokens, including cached ones.
             * @example 48000
             */
            inputTokens: number;
            /**
             * @description Number of requests rejected by a limit, which count neither as requests nor as failures.
             * @example 12
             */
            limited: number;
            /**
             * @description Median of the duration of requests, rounded up by at most 19%; null if there were none.
             * @example 10.767
             */
            medianMilliseconds: number | null;
            /**
             * @description Number of output tokens, including reasoning.
             * @example 0
             */
            outputTokens: number;
            /**
             * @description 95th percentile of the duration of requests, rounded up by at most 19%; null if there were none.
             * @example 30.443
             */
            p95Milliseconds: number | null;
            /**
             * @description 99th percentile of the duration of requests, rounded up by at most 19%; null if there were none.
             * @example 43.054
             */
            p99Milliseconds: number | null;
            /**
             * @description Number of document pages read.
             * @example 0
             */
            pages: number;
            /**
             * @description Number of output tokens that the model used for reasoning; part of `outputTokens`.
             * @example 0
             */
            reasoningTokens: number;
            /**
             * @description Number of requests, including failed ones.
             * @example 1200
             */
            requests: number;
            /**
             * @description Number of requests to models that had no price then, which `cost` leaves out.
             * @example 0
             */
            unpricedRequests: number;
        };
        /** @description A URL that events are sent to. Its secret is never included. */
        Webhook: {
            /**
             * Format: date-time
             * @description When the webhook was created (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /**
             * @description Why Keycard disabled it: `failing` if the last attempt failed, `gone` if it responded 410. Null if it is enabled, or a user disabled it.
             * @example null
             * @enum {string|null}
             */
            disabledReason: "failing" | "gone" | null;
            /**
             * @description Whether events are sent.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Types of events to send; see `GET /event-types`. Null means all, including future ones.
             * @example [
             *       "api_key.expiring",
             *       "limit.exhausted"
             *     ]
             */
            eventTypes: ("api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.disabled" | "api_key.enabled" | "api_key.deleted" | "api_key.expiring" | "api_key.expired" | "api_key.leaked" | "limit.threshold_reached" | "limit.exhausted" | "member.invited" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "role.created" | "role.updated" | "role.deleted" | "service_account.created" | "service_account.updated" | "service_account.rotated" | "service_account.deleted" | "organization.updated" | "sign_in.blocked" | "upstream.circuit_opened" | "upstream.circuit_closed" | "webhook.disabled" | "audit.checkpoint")[] | null;
            /** @description Latest failed attempt of the delivery that is being retried. Null if none is, or the webhook is disabled. */
            failedAttempt: components["schemas"]["WebhookAttempt"] | null;
            /**
             * Format: uuid
             * @description Id of the webhook.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the previous secret too; absent without one (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            previousSecretExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            updatedAt: string;
            /**
             * @description URL that events are sent to with `POST`. Must begin with `https://` and lead to a public IP address; `WEBHOOK_ALLOWED_NETWORKS` allows others.
             * @example https://example.com/webhooks/keycard
             */
            url: string;
        };
        /** @description An attempt to deliver an event. */
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description When the attempt began (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            at: string;
            /**
             * @description How long it took, in milliseconds.
             * @example 87
             */
            durationMs: number;
            /**
             * @description Why there is no response; null if there is one.
             * @example null
             */
            error: string | null;
            /**
             * @description First kilobyte of the response; null without one.
             * @example
             */
            response: string | null;
            /**
             * @description HTTP status of the response; null without one.
             * @example 204
             */
            status: number | null;
        };
        /** @description The delivery of an event to a webhook. */
        WebhookDelivery: {
            /** @description Attempts, oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /**
             * Format: date-time
             * @description When the delivery was added (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            createdAt: string;
            /** @description Body of the requests. */
            event: components["schemas"]["WebhookEvent"];
            /**
             * Format: uuid
             * @description Id of the event, sent as `webhook-id`. The same in all attempts and redeliveries.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            eventId: string;
            /**
             * Format: uuid
             * @description Id of the delivery.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description `event`: delivered in order, and retried. `redelivery` and `test`: requested by a user, and attempted once.
             * @example event
             * @enum {string}
             */
            kind: "event" | "redelivery" | "test";
            /**
             * Format: date-time
             * @description Earliest time of the next attempt; null if none follows (ISO 8601, UTC, milliseconds).
             * @example null
             */
            nextAttemptAt: string | null;
            /**
             * @description Whether the delivery succeeded.
             * @example succeeded
             * @enum {string}
             */
            status: "waiting" | "succeeded" | "failed";
        };
        /** @description A page of deliveries. */
        WebhookDeliveryList: {
            /** @description Deliveries of the last 30 days on this page, newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
        };
        /** @description What is sent to a webhook. */
        WebhookEvent: {
            /**
             * @description Ids and names of what the event is about; see `GET /event-types`.
             * @example {
             *       "actor": {
             *         "email": "grace@example.com",
             *         "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
             *         "kind": "user",
             *         "name": null
             *       },
             *       "apiKey": {
             *         "hint": "kc_4fT9q",
             *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
             *         "name": "Search indexer"
             *       },
             *       "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
             *       "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the event happened (ISO 8601, UTC, milliseconds).
             * @example 2026-01-31T09:30:00.123Z
             */
            timestamp: string;
            /**
             * @description Type of the event.
             * @example api_key.created
             */
            type: components["schemas"]["EventType"];
        };
        /** @description A page of webhooks. */
        WebhookList: {
            /**
             * @description Page number.
             * @example 1
             */
            page: number;
            /**
             * @description Items per page.
             * @example 10
             */
            perPage: number;
            /**
             * @description Number of matching items on all pages.
             * @example 1
             */
            total: number;
            /** @description Webhooks on this page, newest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /** @description A webhook and its signing secret. */
        WebhookSecret: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
             */
            id: string;
            /**
             * @description Verifies deliveries, with any Standard Webhooks library. Store it now: no other response contains it.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwRZx4kq0v5Qw=
             */
            secret: string;
        };
    };
    responses: {
        /** @description The `Expect` header is not supported. Code: `null`. */
        AiExpectationFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The URL and headers are larger than 16 KB. Code: `null`. */
        AiHeadersTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description Internal error. The log has the cause under the request id. Code: `internal_error`. */
        AiInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The request cannot be read. Code: `null`. */
        AiMalformedRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The organization of the API key has moved to another Keycard. Code: `organization_moved`. */
        AiOrganizationMoved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The request was not received in time. Code: `request_timeout`. */
        AiRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The body is larger than 100 KB. Code: `payload-too-large`. */
        BodyTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Expect` header is not supported. Code: `expectation-failed`. */
        ExpectationFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL and headers are larger than 16 KB. Code: `headers-too-large`. */
        HeadersTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal error. The log has the cause under the request id. Code: `internal-error`. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request cannot be read. Code: `malformed-request`. */
        MalformedRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Expect` header is not supported. Code: `invalid_request_error`. */
        MessagesExpectationFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The URL and headers are larger than 16 KB. Code: `invalid_request_error`. */
        MessagesHeadersTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description Internal error. The log has the cause under the request id. Code: `api_error`. */
        MessagesInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The organization of the API key has moved to another Keycard. Code: `invalid_request_error`. */
        MessagesOrganizationMoved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The request was not received in time. Code: `invalid_request_error`. */
        MessagesRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The identity provider hasn't verified the email, or the account isn't a member of any organization. Codes: `no-organization`, `identity-refused`. */
        NotAMember: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The identity provider hasn't verified the email, the account isn't a member of any organization, or the token belongs to a service account. Codes: `no-organization`, `identity-refused`, `service-account-not-allowed`. */
        NotAMemberOrUser: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request was not received in time. Code: `request-timeout`. */
        RequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 100 KB. Code: `invalid_request`. */
        TokenBodyTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The `Expect` header is not supported. Code: `invalid_request`. */
        TokenExpectationFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The URL and headers are larger than 16 KB. Code: `invalid_request`. */
        TokenHeadersTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Internal error. The log has the cause under the request id. Code: `server_error`. */
        TokenInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request was not received in time. Code: `invalid_request`. */
        TokenRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is not JSON, or is compressed. Code: `invalid_request`. */
        TokenUnsupportedContentType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is not JSON, or is compressed. Code: `unsupported-media-type`. */
        UnsupportedContentType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Required credential (RFC 7617).
         * @example Basic realm="keycard"
         */
        BasicChallenge: "Basic realm=\"keycard\"";
        /**
         * @description Required credential (RFC 6750), with `error="invalid_token"` if the request had one.
         * @example Bearer realm="keycard", error="invalid_token"
         */
        Challenge: string;
        /**
         * @description Identifies this request in the log: the value you sent in the same header if it matches the pattern, otherwise a new UUID.
         * @example 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f
         */
        RequestId: string;
        /**
         * @description Seconds to wait before retrying.
         * @example 1
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type AcceptInvitation = components['schemas']['AcceptInvitation'];
export type AccessToken = components['schemas']['AccessToken'];
export type AnthropicError = components['schemas']['AnthropicError'];
export type AnthropicErrorDetail = components['schemas']['AnthropicErrorDetail'];
export type AnthropicModel = components['schemas']['AnthropicModel'];
export type AnthropicModelList = components['schemas']['AnthropicModelList'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyCreatingServiceAccount = components['schemas']['ApiKeyCreatingServiceAccount'];
export type ApiKeyCreator = components['schemas']['ApiKeyCreator'];
export type ApiKeyDetails = components['schemas']['ApiKeyDetails'];
export type ApiKeyFormerHolder = components['schemas']['ApiKeyFormerHolder'];
export type ApiKeyLeak = components['schemas']['ApiKeyLeak'];
export type ApiKeyLeakReporter = components['schemas']['ApiKeyLeakReporter'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKeyOfRequest = components['schemas']['ApiKeyOfRequest'];
export type ApiKeyRecentUsage = components['schemas']['ApiKeyRecentUsage'];
export type ApiKeyRequest = components['schemas']['ApiKeyRequest'];
export type ApiKeyRequestList = components['schemas']['ApiKeyRequestList'];
export type ApiKeyTag = components['schemas']['ApiKeyTag'];
export type ApiKeyTagList = components['schemas']['ApiKeyTagList'];
export type Attention = components['schemas']['Attention'];
export type AttentionItem = components['schemas']['AttentionItem'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditActorList = components['schemas']['AuditActorList'];
export type AuditConsistencyProof = components['schemas']['AuditConsistencyProof'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type AuditEventList = components['schemas']['AuditEventList'];
export type AuditKeyList = components['schemas']['AuditKeyList'];
export type AuditPerson = components['schemas']['AuditPerson'];
export type AuditProof = components['schemas']['AuditProof'];
export type AuditTarget = components['schemas']['AuditTarget'];
export type AuditTargetKind = components['schemas']['AuditTargetKind'];
export type AuthorizationUrl = components['schemas']['AuthorizationUrl'];
export type AvailableModel = components['schemas']['AvailableModel'];
export type AvailableModels = components['schemas']['AvailableModels'];
export type BackchannelLogout = components['schemas']['BackchannelLogout'];
export type BulkDeleteApiKeys = components['schemas']['BulkDeleteApiKeys'];
export type BulkResult = components['schemas']['BulkResult'];
export type BulkRotateApiKeys = components['schemas']['BulkRotateApiKeys'];
export type BulkRotatedApiKey = components['schemas']['BulkRotatedApiKey'];
export type BulkRotatedApiKeys = components['schemas']['BulkRotatedApiKeys'];
export type BulkUpdateApiKeys = components['schemas']['BulkUpdateApiKeys'];
export type ChangePassword = components['schemas']['ChangePassword'];
export type ChatCompletion = components['schemas']['ChatCompletion'];
export type ChatCompletionRequest = components['schemas']['ChatCompletionRequest'];
export type ClientCredentials = components['schemas']['ClientCredentials'];
export type CreateApiKey = components['schemas']['CreateApiKey'];
export type CreateInvitation = components['schemas']['CreateInvitation'];
export type CreateOrganization = components['schemas']['CreateOrganization'];
export type CreateRole = components['schemas']['CreateRole'];
export type CreateServiceAccount = components['schemas']['CreateServiceAccount'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type CreatedInvitation = components['schemas']['CreatedInvitation'];
export type CurrentApiKey = components['schemas']['CurrentApiKey'];
export type CurrentOrganization = components['schemas']['CurrentOrganization'];
export type CurrentRole = components['schemas']['CurrentRole'];
export type CurrentUser = components['schemas']['CurrentUser'];
export type Embedding = components['schemas']['Embedding'];
export type EmbeddingsRequest = components['schemas']['EmbeddingsRequest'];
export type EmbeddingsResponse = components['schemas']['EmbeddingsResponse'];
export type EmbeddingsUsage = components['schemas']['EmbeddingsUsage'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventType = components['schemas']['EventType'];
export type EventTypeDetails = components['schemas']['EventTypeDetails'];
export type EventTypeList = components['schemas']['EventTypeList'];
export type ExceededLimit = components['schemas']['ExceededLimit'];
export type FailedRequest = components['schemas']['FailedRequest'];
export type FailedRequestList = components['schemas']['FailedRequestList'];
export type FailureCount = components['schemas']['FailureCount'];
export type FailureKey = components['schemas']['FailureKey'];
export type FailureReport = components['schemas']['FailureReport'];
export type FieldError = components['schemas']['FieldError'];
export type FirstStep = components['schemas']['FirstStep'];
export type FormerMember = components['schemas']['FormerMember'];
export type FormerMemberList = components['schemas']['FormerMemberList'];
export type FoundAuditActor = components['schemas']['FoundAuditActor'];
export type FoundAuditKey = components['schemas']['FoundAuditKey'];
export type FoundRequests = components['schemas']['FoundRequests'];
export type GeneratedMessage = components['schemas']['GeneratedMessage'];
export type GeneratedResponse = components['schemas']['GeneratedResponse'];
export type Health = components['schemas']['Health'];
export type IdentityProvider = components['schemas']['IdentityProvider'];
export type IncreaseLimit = components['schemas']['IncreaseLimit'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationList = components['schemas']['InvitationList'];
export type InvitationPreview = components['schemas']['InvitationPreview'];
export type InvitationToken = components['schemas']['InvitationToken'];
export type Inviter = components['schemas']['Inviter'];
export type InvitingOrganization = components['schemas']['InvitingOrganization'];
export type LatestChange = components['schemas']['LatestChange'];
export type LeakLabel = components['schemas']['LeakLabel'];
export type LeakLabelList = components['schemas']['LeakLabelList'];
export type LeakedKeyReport = components['schemas']['LeakedKeyReport'];
export type LeakedKeyReportList = components['schemas']['LeakedKeyReportList'];
export type Limit = components['schemas']['Limit'];
export type LimitIncrease = components['schemas']['LimitIncrease'];
export type LimitSettings = components['schemas']['LimitSettings'];
export type LimitState = components['schemas']['LimitState'];
export type ListedApiKey = components['schemas']['ListedApiKey'];
export type Me = components['schemas']['Me'];
export type Member = components['schemas']['Member'];
export type MemberList = components['schemas']['MemberList'];
export type MemberRemover = components['schemas']['MemberRemover'];
export type Message = components['schemas']['Message'];
export type MessageRequest = components['schemas']['MessageRequest'];
export type MessageTokenCount = components['schemas']['MessageTokenCount'];
export type Model = components['schemas']['Model'];
export type ModelEngine = components['schemas']['ModelEngine'];
export type ModelList = components['schemas']['ModelList'];
export type ModelPrice = components['schemas']['ModelPrice'];
export type ModelUpstream = components['schemas']['ModelUpstream'];
export type MonthCost = components['schemas']['MonthCost'];
export type MyOrganization = components['schemas']['MyOrganization'];
export type MyOrganizationList = components['schemas']['MyOrganizationList'];
export type NewWebhookDelivery = components['schemas']['NewWebhookDelivery'];
export type OAuthError = components['schemas']['OAuthError'];
export type OcrConfidenceScores = components['schemas']['OcrConfidenceScores'];
export type OcrDocumentUrl = components['schemas']['OcrDocumentUrl'];
export type OcrFile = components['schemas']['OcrFile'];
export type OcrImage = components['schemas']['OcrImage'];
export type OcrImageDetail = components['schemas']['OcrImageDetail'];
export type OcrImageUrl = components['schemas']['OcrImageUrl'];
export type OcrPage = components['schemas']['OcrPage'];
export type OcrPageDimensions = components['schemas']['OcrPageDimensions'];
export type OcrPageError = components['schemas']['OcrPageError'];
export type OcrPageWarning = components['schemas']['OcrPageWarning'];
export type OcrRequest = components['schemas']['OcrRequest'];
export type OcrResponse = components['schemas']['OcrResponse'];
export type OcrUpload = components['schemas']['OcrUpload'];
export type OcrUsage = components['schemas']['OcrUsage'];
export type OcrWordConfidence = components['schemas']['OcrWordConfidence'];
export type OpenAiError = components['schemas']['OpenAiError'];
export type OpenAiErrorDetail = components['schemas']['OpenAiErrorDetail'];
export type Organization = components['schemas']['Organization'];
export type OrganizationDetails = components['schemas']['OrganizationDetails'];
export type Overview = components['schemas']['Overview'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type Permission = components['schemas']['Permission'];
export type PermissionDetails = components['schemas']['PermissionDetails'];
export type PermissionList = components['schemas']['PermissionList'];
export type Person = components['schemas']['Person'];
export type PersonSession = components['schemas']['PersonSession'];
export type PersonSessionList = components['schemas']['PersonSessionList'];
export type PreviousMonthUsage = components['schemas']['PreviousMonthUsage'];
export type PriceAbove = components['schemas']['PriceAbove'];
export type Problem = components['schemas']['Problem'];
export type RecentUsage = components['schemas']['RecentUsage'];
export type RecentUsagePoint = components['schemas']['RecentUsagePoint'];
export type RefreshedSession = components['schemas']['RefreshedSession'];
export type RequestPasswordReset = components['schemas']['RequestPasswordReset'];
export type ResetPassword = components['schemas']['ResetPassword'];
export type ResponseRequest = components['schemas']['ResponseRequest'];
export type Role = components['schemas']['Role'];
export type RoleList = components['schemas']['RoleList'];
export type RoleReference = components['schemas']['RoleReference'];
export type RotateApiKey = components['schemas']['RotateApiKey'];
export type RotateClientSecret = components['schemas']['RotateClientSecret'];
export type RotateWebhookSecret = components['schemas']['RotateWebhookSecret'];
export type RotatedApiKey = components['schemas']['RotatedApiKey'];
export type ServedModel = components['schemas']['ServedModel'];
export type ServedModels = components['schemas']['ServedModels'];
export type ServiceAccount = components['schemas']['ServiceAccount'];
export type ServiceAccountList = components['schemas']['ServiceAccountList'];
export type Session = components['schemas']['Session'];
export type SessionList = components['schemas']['SessionList'];
export type SignIn = components['schemas']['SignIn'];
export type SignInMethods = components['schemas']['SignInMethods'];
export type SwitchOrganization = components['schemas']['SwitchOrganization'];
export type TextCompletion = components['schemas']['TextCompletion'];
export type TextCompletionRequest = components['schemas']['TextCompletionRequest'];
export type TokenPrices = components['schemas']['TokenPrices'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type TokenResponse = components['schemas']['TokenResponse'];
export type UpdateApiKey = components['schemas']['UpdateApiKey'];
export type UpdateMe = components['schemas']['UpdateMe'];
export type UpdateMember = components['schemas']['UpdateMember'];
export type UpdateOrganization = components['schemas']['UpdateOrganization'];
export type UpdateRole = components['schemas']['UpdateRole'];
export type UpdateServiceAccount = components['schemas']['UpdateServiceAccount'];
export type UpdateWebhook = components['schemas']['UpdateWebhook'];
export type UpstreamError = components['schemas']['UpstreamError'];
export type UsageApiKey = components['schemas']['UsageApiKey'];
export type UsageCreator = components['schemas']['UsageCreator'];
export type UsageGroup = components['schemas']['UsageGroup'];
export type UsageGroupBy = components['schemas']['UsageGroupBy'];
export type UsageInterval = components['schemas']['UsageInterval'];
export type UsageOthers = components['schemas']['UsageOthers'];
export type UsagePoint = components['schemas']['UsagePoint'];
export type UsageReport = components['schemas']['UsageReport'];
export type UsageSums = components['schemas']['UsageSums'];
export type UsageTotals = components['schemas']['UsageTotals'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryList = components['schemas']['WebhookDeliveryList'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type ResponseAiExpectationFailed = components['responses']['AiExpectationFailed'];
export type ResponseAiHeadersTooLarge = components['responses']['AiHeadersTooLarge'];
export type ResponseAiInternalError = components['responses']['AiInternalError'];
export type ResponseAiMalformedRequest = components['responses']['AiMalformedRequest'];
export type ResponseAiOrganizationMoved = components['responses']['AiOrganizationMoved'];
export type ResponseAiRequestTimeout = components['responses']['AiRequestTimeout'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseExpectationFailed = components['responses']['ExpectationFailed'];
export type ResponseHeadersTooLarge = components['responses']['HeadersTooLarge'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseMessagesExpectationFailed = components['responses']['MessagesExpectationFailed'];
export type ResponseMessagesHeadersTooLarge = components['responses']['MessagesHeadersTooLarge'];
export type ResponseMessagesInternalError = components['responses']['MessagesInternalError'];
export type ResponseMessagesOrganizationMoved = components['responses']['MessagesOrganizationMoved'];
export type ResponseMessagesRequestTimeout = components['responses']['MessagesRequestTimeout'];
export type ResponseNotAMember = components['responses']['NotAMember'];
export type ResponseNotAMemberOrUser = components['responses']['NotAMemberOrUser'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseTokenBodyTooLarge = components['responses']['TokenBodyTooLarge'];
export type ResponseTokenExpectationFailed = components['responses']['TokenExpectationFailed'];
export type ResponseTokenHeadersTooLarge = components['responses']['TokenHeadersTooLarge'];
export type ResponseTokenInternalError = components['responses']['TokenInternalError'];
export type ResponseTokenRequestTimeout = components['responses']['TokenRequestTimeout'];
export type ResponseTokenUnsupportedContentType = components['responses']['TokenUnsupportedContentType'];
export type ResponseUnsupportedContentType = components['responses']['UnsupportedContentType'];
export type HeaderBasicChallenge = components['headers']['BasicChallenge'];
export type HeaderChallenge = components['headers']['Challenge'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
                /** @description Sort direction. */
                order?: "ASC" | "DESC";
                /** @description Sort field. Names are sorted case-insensitively, also those of creators. Keys that were never used sort as the least recently used, keys that never expire as the last to expire, and keys without a known creator as the last. */
                orderBy?: "createdAt" | "name" | "lastUsedAt" | "expiresAt" | "creator";
                /** @description Only the key with this id. Repeat the parameter for any of several. */
                id?: string[];
                /** @description Only keys whose name contains this text, case-insensitive. */
                name?: string;
                /** @description Only keys with exactly this name, case-insensitive. */
                exactName?: string;
                /** @description Only keys with this hint, to find a leaked key: its first 8 characters, such as `kc_4fT9q`. Includes previous secrets that are still accepted. */
                hint?: string;
                /** @description Only keys with this tag, case-insensitive. */
                tag?: string;
                /** @description Only keys in this state: `active` (enabled and not expired), `disabled`, `expired`, `expiring` (active, for 7 days at most, without `deleteWhenExpired`), `unused` (active, but not used for 90 days), `leaked` (a secret was reported as leaked, and not revoked since; the key may be disabled) or `known-to-former-members` (active, and someone who is no longer a member, or a service account that was deleted, received a secret that is still accepted: the current one, or the previous one in its grace period; found in the audit log and by creator). */
                state?: "active" | "disabled" | "expired" | "expiring" | "unused" | "leaked" | "known-to-former-members";
                /** @description Only keys created by the user or service account with this id, including former members. */
                creatorId?: string;
                /** @description Only keys that others created and the user or service account with this id rotated, including former members, while the secret they received is accepted: as the current one, or as the previous one in its grace period. Found in the audit log. */
                rotatedById?: string;
                /** @description What to add to each key: `creator` adds `createdBy` or `createdByServiceAccount`; `use` adds `fullestLimit`, `fullestCostLimit`, and `recentUsage` if your role has `get-usage`; `limits` adds the limits without their state; `knownToFormerMembers` adds who knows a secret and shouldn't. Without it, the list takes less time. */
                include?: ("creator" | "use" | "limits" | "knownToFormerMembers")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "createdBy": {
                     *             "email": "ada@example.com",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "createdByServiceAccount": {
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Deploy pipeline"
                     *           },
                     *           "enabled": false,
                     *           "expiresAt": "2027-01-31T09:30:00.000Z",
                     *           "fullestCostLimit": {
                     *             "estimated": 0,
                     *             "increase": {
                     *               "by": "5.00",
                     *               "until": "2026-12-01T00:00:00.000Z"
                     *             },
                     *             "isIncreased": false,
                     *             "max": 600,
                     *             "metric": "requests",
                     *             "models": [
                     *               "gpt-mini"
                     *             ],
                     *             "notifyAt": [
                     *               50,
                     *               80,
                     *               100
                     *             ],
                     *             "per": "minute",
                     *             "remaining": 480,
                     *             "reserved": 0,
                     *             "resetsAt": "2026-01-31T09:30:00.123Z",
                     *             "used": 120
                     *           },
                     *           "fullestLimit": {
                     *             "estimated": 0,
                     *             "increase": {
                     *               "by": "5.00",
                     *               "until": "2026-12-01T00:00:00.000Z"
                     *             },
                     *             "isIncreased": false,
                     *             "max": 600,
                     *             "metric": "requests",
                     *             "models": [
                     *               "gpt-mini"
                     *             ],
                     *             "notifyAt": [
                     *               50,
                     *               80,
                     *               100
                     *             ],
                     *             "per": "minute",
                     *             "remaining": 480,
                     *             "reserved": 0,
                     *             "resetsAt": "2026-01-31T09:30:00.123Z",
                     *             "used": 120
                     *           },
                     *           "hint": "kc_4fT9q",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "knownToFormerMembers": [
                     *             {
                     *               "kind": "user",
                     *               "name": "Grace Hopper",
                     *               "secret": "current"
                     *             }
                     *           ],
                     *           "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *           "leakedAt": "2026-01-31T09:30:00.123Z",
                     *           "limits": [
                     *             {
                     *               "max": 600,
                     *               "metric": "requests",
                     *               "per": "minute"
                     *             },
                     *             {
                     *               "max": "25",
                     *               "metric": "cost",
                     *               "notifyAt": [
                     *                 50,
                     *                 80,
                     *                 100
                     *               ],
                     *               "per": "month"
                     *             }
                     *           ],
                     *           "name": "Search indexer",
                     *           "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *           "recentUsage": {
                     *             "cost": "0.000012",
                     *             "failures": 3,
                     *             "requests": 1260,
                     *             "requestsByDay": [
                     *               120,
                     *               180,
                     *               240,
                     *               0,
                     *               0,
                     *               300,
                     *               420
                     *             ]
                     *           },
                     *           "tags": [
                     *             "production",
                     *             "search team"
                     *           ],
                     *           "updatedAt": "2026-01-31T09:30:00.123Z"
                     *         }
                     *       ],
                     *       "currency": "USD",
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your unique name for this request, such as a UUID. For 24 hours, a repeat changes nothing and returns 409 with `apiKeyId`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Path of the new API key. Its last segment is the id.
                     * @example /api-keys/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `create-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The `Idempotency-Key` was already used; `apiKeyId` is the key it created. Code: `idempotency-key-reused`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDeleteApiKeys"];
            };
        };
        responses: {
            /** @description The API keys were deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "01990000-0000-7000-8000-000000000001",
                     *         "01990000-0000-7000-8000-000000000002"
                     *       ],
                     *       "notFoundIds": []
                     *     }
                     */
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRotateApiKeys"];
            };
        };
        responses: {
            /** @description The keys with their new secrets. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "key": "kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM"
                     *         }
                     *       ],
                     *       "notFoundIds": []
                     *     }
                     */
                    "application/json": components["schemas"]["BulkRotatedApiKeys"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description One of the API keys has expired. Code: `api-key-expired`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpdateApiKeys"];
            };
        };
        responses: {
            /** @description The API keys were changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "01990000-0000-7000-8000-000000000001",
                     *         "01990000-0000-7000-8000-000000000002"
                     *       ],
                     *       "notFoundIds": []
                     *     }
                     */
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    findRequests: {
        parameters: {
            query: {
                /** @description ID of the request, exactly as in the `x-request-id` response header. */
                requestId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys with their requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "failures": [
                     *             {
                     *               "address": "203.0.113.7",
                     *               "clientCode": "model_not_allowed",
                     *               "code": "model-not-allowed",
                     *               "exceededLimit": null,
                     *               "invalidFields": [],
                     *               "model": "universal-sentence-encoder-lite",
                     *               "occurredAt": "2026-01-31T09:30:00.123Z",
                     *               "remedy": "Choose a model listed by `GET /v1/models`, or add the model to the key.",
                     *               "requestId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *               "requestedModel": "universal-sentence-encoder-lite",
                     *               "route": "POST /v1/embeddings",
                     *               "status": 403,
                     *               "title": "Model not allowed"
                     *             }
                     *           ],
                     *           "hint": "kc_4fT9q",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "name": "Search indexer",
                     *           "requests": [
                     *             {
                     *               "address": "203.0.113.7",
                     *               "cacheWrite1hTokens": 0,
                     *               "cacheWriteTokens": 0,
                     *               "cachedInputTokens": 0,
                     *               "cost": "0.000012",
                     *               "estimatedRequests": 0,
                     *               "inputTokens": 48000,
                     *               "milliseconds": 12.5,
                     *               "model": "universal-sentence-encoder-lite",
                     *               "occurredAt": "2026-01-31T09:30:00.123Z",
                     *               "outcome": "success",
                     *               "outputTokens": 0,
                     *               "pages": 0,
                     *               "reasoningTokens": 0,
                     *               "requestId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *               "route": "POST /v1/embeddings",
                     *               "status": 200
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FoundRequests"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-usage`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeyTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags in use. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tags": [
                     *         {
                     *           "apiKeyCount": 12,
                     *           "tag": "production"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyTagList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addresses": [
                     *         "203.0.113.7",
                     *         "2001:db8::/32"
                     *       ],
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "createdBy": {
                     *         "email": "ada@example.com",
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdByServiceAccount": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Deploy pipeline"
                     *       },
                     *       "deleteWhenExpired": false,
                     *       "enabled": true,
                     *       "expiresAt": "2027-01-31T09:30:00.000Z",
                     *       "hint": "kc_4fT9q",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "knownToFormerMembers": [
                     *         {
                     *           "kind": "user",
                     *           "name": "Grace Hopper",
                     *           "secret": "current"
                     *         }
                     *       ],
                     *       "lastUsedAddress": "203.0.113.7",
                     *       "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *       "leak": {
                     *         "reportedAt": "2026-01-31T09:30:00.123Z",
                     *         "reportedBy": {
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "kind": "user",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "secret": "current",
                     *         "source": "commit",
                     *         "url": "https://github.com/example/repository/blob/main/.env"
                     *       },
                     *       "leakedAt": "2026-01-31T09:30:00.123Z",
                     *       "limits": [
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 600,
                     *           "metric": "requests",
                     *           "per": "minute",
                     *           "remaining": 480,
                     *           "reserved": 0,
                     *           "resetsAt": "2026-01-31T09:30:12.000Z",
                     *           "used": 120
                     *         },
                     *         {
                     *           "estimated": "0",
                     *           "isIncreased": false,
                     *           "max": "25",
                     *           "metric": "cost",
                     *           "notifyAt": [
                     *             50,
                     *             80,
                     *             100
                     *           ],
                     *           "per": "month",
                     *           "remaining": "23.75",
                     *           "reserved": "0.05",
                     *           "resetsAt": "2026-02-01T00:00:00.000Z",
                     *           "used": "1.25"
                     *         },
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 20,
                     *           "metric": "concurrency",
                     *           "remaining": 17,
                     *           "reserved": 0,
                     *           "resetsAt": null,
                     *           "used": 3
                     *         }
                     *       ],
                     *       "models": [
                     *         "universal-sentence-encoder-lite"
                     *       ],
                     *       "name": "Search indexer",
                     *       "note": "Owned by the search team",
                     *       "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *       "previousSecretHint": "kc_9Zx2b",
                     *       "previousSecretLastUsedAt": "2026-01-31T09:30:00.123Z",
                     *       "rotatedAt": "2026-01-31T09:30:00.123Z",
                     *       "tags": [
                     *         "production",
                     *         "search team"
                     *       ],
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyDetails"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key was deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The API key was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKey"];
            };
        };
        responses: {
            /** @description The changed API key. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "createdBy": {
                     *         "email": "ada@example.com",
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdByServiceAccount": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Deploy pipeline"
                     *       },
                     *       "enabled": false,
                     *       "expiresAt": "2027-01-31T09:30:00.000Z",
                     *       "hint": "kc_4fT9q",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *       "leakedAt": "2026-01-31T09:30:00.123Z",
                     *       "name": "Search indexer",
                     *       "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *       "tags": [
                     *         "production",
                     *         "search team"
                     *       ],
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFailedRequests: {
        parameters: {
            query?: {
                /** @description Only requests with exactly this ID, as in the `x-request-id` response header. There can be several, because clients can send the same ID again. */
                requestId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The failed requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "failures": [
                     *         {
                     *           "address": "203.0.113.7",
                     *           "clientCode": "model_not_allowed",
                     *           "code": "model-not-allowed",
                     *           "exceededLimit": null,
                     *           "invalidFields": [],
                     *           "model": "universal-sentence-encoder-lite",
                     *           "occurredAt": "2026-01-31T09:30:00.123Z",
                     *           "remedy": "Choose a model listed by `GET /v1/models`, or add the model to the key.",
                     *           "requestId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "requestedModel": "universal-sentence-encoder-lite",
                     *           "route": "POST /v1/embeddings",
                     *           "status": 403,
                     *           "title": "Model not allowed"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FailedRequestList"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-usage`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokePreviousSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The previous secret was revoked. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The previous secret was revoked."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportLeakedApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key was disabled. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The API key was disabled."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeyRequests: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
                /** @description Only requests with exactly this ID, as in the `x-request-id` response header. There can be several, because clients can send the same ID again. */
                requestId?: string;
                /** @description Only requests that ended like this. */
                outcome?: "success" | "failure" | "limited";
            };
            header?: never;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "requests": [
                     *         {
                     *           "address": "203.0.113.7",
                     *           "cacheWrite1hTokens": 0,
                     *           "cacheWriteTokens": 0,
                     *           "cachedInputTokens": 0,
                     *           "cost": "0.000012",
                     *           "estimatedRequests": 0,
                     *           "inputTokens": 48000,
                     *           "milliseconds": 12.5,
                     *           "model": "universal-sentence-encoder-lite",
                     *           "occurredAt": "2026-01-31T09:30:00.123Z",
                     *           "outcome": "success",
                     *           "outputTokens": 0,
                     *           "pages": 0,
                     *           "reasoningTokens": 0,
                     *           "requestId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "route": "POST /v1/embeddings",
                     *           "status": 200
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyRequestList"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-usage`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your unique name for this request, such as a UUID. For 24 hours, a repeat changes nothing and returns 409 with `apiKeyId`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiKey"];
            };
        };
        responses: {
            /** @description The key with its new secret. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedApiKey"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-api-keys`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description API key not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The API key has expired, or the `Idempotency-Key` was already used. Codes: `api-key-expired`, `idempotency-key-reused`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Only events by the user or service account with this id, including former ones. */
                actorId?: string;
                /** @description Only events by the actor with this email, case-insensitive. */
                actorEmail?: string;
                /** @description Only events with this action. */
                action?: components["schemas"]["AuditAction"];
                /** @description Only events that affected this kind of resource. */
                targetKind?: components["schemas"]["AuditTargetKind"];
                /** @description Only events that affected the resource with this id, including deleted ones. */
                targetId?: string;
                /** @description Only events that affected a key or service account whose secret has, or had before a rotation, this hint: its first characters, such as `kc_4fT9q`. Shows what became of a leaked key. */
                targetHint?: string;
                /** @description Only events that affected the person with this email, case-insensitive: as a member, an invited person or an account. */
                targetEmail?: string;
                /** @description Only events of the request with exactly this ID, as in the `x-request-id` response header. */
                requestId?: string;
                /** @description Start of the period (inclusive), such as `2026-01-30T00:00:00Z`. */
                from?: string;
                /** @description End of the period (exclusive). */
                to?: string;
                /** @description Events per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auditEvents": [
                     *         {
                     *           "action": "api-key.update",
                     *           "actor": {
                     *             "email": "ada@example.com",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "kind": "user",
                     *             "name": null
                     *           },
                     *           "address": "203.0.113.7",
                     *           "after": {
                     *             "name": "Search indexer"
                     *           },
                     *           "before": {
                     *             "name": "Search"
                     *           },
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "occurredAt": "2026-01-31T09:30:00.123Z",
                     *           "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                     *           "target": {
                     *             "hint": "kc_4fT9q",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "kind": "api-key",
                     *             "name": "Search indexer"
                     *           },
                     *           "userAgent": "curl/8.5.0"
                     *         }
                     *       ],
                     *       "nextCursor": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "people": [
                     *         {
                     *           "email": "ada@example.com",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "name": "Ada Lovelace"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEventList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    findAuditActors: {
        parameters: {
            query?: {
                /** @description Part of a name or email, case-insensitive, or an id. Names of people are only searched with the permission `get-members`. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first actors that match. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actors": [
                     *         {
                     *           "email": "ada@example.com",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "kind": "user",
                     *           "name": "Ada Lovelace"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditActorList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    findAuditKeys: {
        parameters: {
            query: {
                /** @description Part of a current or earlier name, case-insensitive, or an id. */
                search: string;
                /** @description Only current or only deleted keys. */
                state?: "current" | "deleted";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first keys that match. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "formerName": "billing",
                     *           "hint": "kc_4fT9q",
                     *           "id": "01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e",
                     *           "isDeleted": false,
                     *           "name": "billing-prod"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditKeyList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuditCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed checkpoint (C2SP `tlog-checkpoint`). */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11
                     *     1284
                     *     Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY=
                     *     Time: 2026-01-31T10:00:00.000Z
                     *
                     *     — keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11 r6TkFuJ8SxVnn2cUdGTuJcnC1ZGMD4dpvGVz4cpMGYdQqmrGlG7pyLvCUx3rcTYBDRY7qJ7nyHFjT6hoHTd81JhiFgc=
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The audit log of this service is not signed. Code: `audit-proofs-off`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuditConsistencyProof: {
        parameters: {
            query?: {
                /** @description Number of events in the earlier checkpoint, its second line. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Proof and checkpoint. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkpoint": "keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11\n1284\nZ4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY=\nTime: 2026-01-31T10:00:00.000Z\n\n— keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11 r6TkFuJ8SxVnn2cUdGTuJcnC1ZGMD4dpvGVz4cpMGYdQqmrGlG7pyLvCUx3rcTYBDRY7qJ7nyHFjT6hoHTd81JhiFgc=\n",
                     *       "hashes": [
                     *         "Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY="
                     *       ],
                     *       "publicKey": "keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11+afa4e416+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                     *       "treeSize": 1284
                     *     }
                     */
                    "application/json": components["schemas"]["AuditConsistencyProof"];
                };
            };
            /** @description `size` is invalid, or larger than the log. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The audit log of this service is not signed. Code: `audit-proofs-off`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /** @description Only events by the user or service account with this id, including former ones. */
                actorId?: string;
                /** @description Only events by the actor with this email, case-insensitive. */
                actorEmail?: string;
                /** @description Only events with this action. */
                action?: components["schemas"]["AuditAction"];
                /** @description Only events that affected this kind of resource. */
                targetKind?: components["schemas"]["AuditTargetKind"];
                /** @description Only events that affected the resource with this id, including deleted ones. */
                targetId?: string;
                /** @description Only events that affected a key or service account whose secret has, or had before a rotation, this hint: its first characters, such as `kc_4fT9q`. Shows what became of a leaked key. */
                targetHint?: string;
                /** @description Only events that affected the person with this email, case-insensitive: as a member, an invited person or an account. */
                targetEmail?: string;
                /** @description Only events of the request with exactly this ID, as in the `x-request-id` response header. */
                requestId?: string;
                /** @description Start of the period (inclusive), such as `2026-01-30T00:00:00Z`. */
                from?: string;
                /** @description End of the period (exclusive). */
                to?: string;
                /** @description `csv` for spreadsheets, newest first; `jsonl` with proofs, oldest first. */
                format?: "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file with all matching events. */
            200: {
                headers: {
                    /**
                     * @description File name.
                     * @example attachment; filename="audit-events-2026-01-31.csv"
                     */
                    "Content-Disposition"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"index":0,"event":{…}} */
                    "application/jsonl": string;
                    /** @example id,occurredAt,actorId */
                    "text/csv": string;
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The audit log of this service is not signed. Code: `audit-proofs-off`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuditProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the audit event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Proof and checkpoint. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkpoint": "keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11\n1284\nZ4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY=\nTime: 2026-01-31T10:00:00.000Z\n\n— keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11 r6TkFuJ8SxVnn2cUdGTuJcnC1ZGMD4dpvGVz4cpMGYdQqmrGlG7pyLvCUx3rcTYBDRY7qJ7nyHFjT6hoHTd81JhiFgc=\n",
                     *       "event": "{\"action\":\"api-key.update\", …}",
                     *       "hashes": [
                     *         "Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY="
                     *       ],
                     *       "index": 1283,
                     *       "publicKey": "keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11+afa4e416+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                     *       "treeSize": 1284
                     *     }
                     */
                    "application/json": components["schemas"]["AuditProof"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description Audit event not found.
             *
             *     Audit event not found, or the audit log of this service is not signed. Codes: `not-found`, `audit-proofs-off`.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description An access token. The cookie contains the refresh token. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Refresh token for `POST /auth/refresh`: `HttpOnly`, `SameSite=Strict`. On plain HTTP (loopback only), it is named `keycard_refresh` and has `Path=/auth`. A second cookie, `keycard_signed_in`, shows scripts of this origin that there is a session.
                     * @example __Host-keycard_refresh=…; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Strict
                     */
                    "Set-Cookie"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
                     *       "expiresIn": 900,
                     *       "tokenType": "Bearer"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The password is wrong, or the invited email has no account and no name was sent. The response does not reveal which. Code: `sign-in-failed`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Password sign-in is off. Code: `password-sign-in-off`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is wrong, used, withdrawn or expired. Codes: `not-found`, `invitation-expired`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The account is already a member. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description The password was changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The password was changed."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Password sign-in is off, or the account isn't a member of any organization. Codes: `password-sign-in-off`, `no-organization`, `identity-refused`, `service-account-not-allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed-in user. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "canCreateOrganizations": true,
                     *       "organization": {
                     *         "id": "01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11",
                     *         "name": "Default",
                     *         "timeZone": "Europe/Berlin"
                     *       },
                     *       "permissions": [
                     *         "create-api-keys",
                     *         "get-api-keys"
                     *       ],
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e",
                     *         "name": "Owner"
                     *       },
                     *       "user": {
                     *         "email": "admin@keycard.local",
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "mutedMail": [
                     *           "key-expiring"
                     *         ],
                     *         "name": "Administrator",
                     *         "passwordRemovedAt": "2026-01-31T09:30:00.123Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMe"];
            };
        };
        responses: {
            /** @description The signed-in user. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "canCreateOrganizations": true,
                     *       "organization": {
                     *         "id": "01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11",
                     *         "name": "Default",
                     *         "timeZone": "Europe/Berlin"
                     *       },
                     *       "permissions": [
                     *         "create-api-keys",
                     *         "get-api-keys"
                     *       ],
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e",
                     *         "name": "Owner"
                     *       },
                     *       "user": {
                     *         "email": "admin@keycard.local",
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "mutedMail": [
                     *           "key-expiring"
                     *         ],
                     *         "name": "Administrator",
                     *         "passwordRemovedAt": "2026-01-31T09:30:00.123Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The available sign-in methods. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mail": true,
                     *       "oidc": {
                     *         "name": "id.example.com",
                     *         "startUrl": "/auth/oidc/start"
                     *       },
                     *       "password": true,
                     *       "passwordReset": true
                     *     }
                     */
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    receiveLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "logout_token": "eyJ0eXAiOiJsb2dvdXQrand0IiwiYWxnIjoiUlMyNTYifQ.eyJzaWQiOiIwOGE1In0.c2lnbmF0dXJl"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["BackchannelLogout"];
            };
        };
        responses: {
            /** @description The sessions were ended, if there were any. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The sessions were ended, if there were any."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The logout token is not valid or was used before. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Single sign-on is not set up. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The body is larger than 100 KB. Code: `payload-too-large`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not a form. Code: `unsupported-media-type`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The identity provider or the database is unavailable; see `Retry-After`. Codes: `identity-provider-unavailable`, `database-unavailable`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishOidcSignIn: {
        parameters: {
            query?: {
                /** @description Value of `state` from the sign-in request. */
                state?: string;
                /** @description Authorization code, exchanged for a token. */
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect after success or failure. */
            302: {
                headers: {
                    /**
                     * @description The URL to go to. After a failure, `/sign-in?error=` with the error code and the original `returnTo`, or `/accept-invitation?error=` for an invitation.
                     * @example /dashboard/keys
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The URL is malformed. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Single sign-on is not set up. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description Any other error. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startOidcSignIn: {
        parameters: {
            query?: {
                /** @description Path on this server to return to after the sign-in, such as `/dashboard/keys?page=2`. */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the identity provider. */
            302: {
                headers: {
                    /**
                     * @description The URL to go to. After a failure, `/sign-in?error=` with the error code and the original `returnTo`, or `/accept-invitation?error=` for an invitation.
                     * @example /dashboard/keys
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `returnTo` is not a path on this server. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Single sign-on is not set up. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description Any other error. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startOidcInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToken"];
            };
        };
        responses: {
            /** @description The URL to send the browser to. */
            200: {
                headers: {
                    /**
                     * @description Encrypted state for the callback: `HttpOnly`, `SameSite=Lax`, valid for ten minutes.
                     * @example __Host-keycard_sign_in=…; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax
                     */
                    "Set-Cookie"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://id.example.com/authorize?client_id=keycard&response_type=code"
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationUrl"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A page of another origin sent the request. Code: `cross-site-request`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is wrong, used, withdrawn or expired, or single sign-on is not set up. Codes: `not-found`, `invitation-expired`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The identity provider or the database is unavailable; see `Retry-After`. Codes: `identity-provider-unavailable`, `database-unavailable`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToken"];
            };
        };
        responses: {
            /** @description The open invitation. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com",
                     *       "expiresAt": "2026-01-31T09:30:00.123Z",
                     *       "hasAccount": true,
                     *       "hasPassword": true,
                     *       "organization": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Research"
                     *       },
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Key manager"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is malformed or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            /** @description The token is wrong, used, withdrawn or expired. Codes: `not-found`, `invitation-expired`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An access token. The cookie contains the refresh token. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Refresh token for `POST /auth/refresh`: `HttpOnly`, `SameSite=Strict`. On plain HTTP (loopback only), it is named `keycard_refresh` and has `Path=/auth`. A second cookie, `keycard_signed_in`, shows scripts of this origin that there is a session.
                     * @example __Host-keycard_refresh=…; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Strict
                     */
                    "Set-Cookie"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
                     *       "expiresIn": 900,
                     *       "me": {
                     *         "canCreateOrganizations": true,
                     *         "organization": {
                     *           "id": "01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11",
                     *           "name": "Default",
                     *           "timeZone": "Europe/Berlin"
                     *         },
                     *         "permissions": [
                     *           "create-api-keys",
                     *           "get-api-keys"
                     *         ],
                     *         "role": {
                     *           "id": "01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e",
                     *           "name": "Owner"
                     *         },
                     *         "user": {
                     *           "email": "admin@keycard.local",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "mutedMail": [
                     *             "key-expiring"
                     *           ],
                     *           "name": "Administrator",
                     *           "passwordRemovedAt": "2026-01-31T09:30:00.123Z"
                     *         }
                     *       },
                     *       "tokenType": "Bearer"
                     *     }
                     */
                    "application/json": components["schemas"]["RefreshedSession"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The cookie is missing, was sent more than once, or its session has ended. Reusing a replaced cookie ends its session. Codes: `missing-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A page of another origin sent the request, or the account isn't a member of any organization. Codes: `cross-site-request`, `no-organization`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description The session is refreshed too often; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordReset"];
            };
        };
        responses: {
            /** @description The request was received. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The request was received."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Password sign-in is off. Code: `password-sign-in-off`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Keycard sends no mail. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description The password was set. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com",
                     *       "message": "The password was set."
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Password sign-in is off. Code: `password-sign-in-off`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is wrong, used, replaced or expired. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your sessions. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "address": "203.0.113.7",
                     *           "createdAt": "2026-07-01T12:00:00.000Z",
                     *           "expiresAt": "2026-07-01T12:00:00.000Z",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "isCurrent": true,
                     *           "lastUsedAt": "2026-07-01T12:00:00.000Z",
                     *           "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions were ended. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The other sessions were ended."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session was ended. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The session was ended."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            /** @description Session not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description An access token. The cookie contains the refresh token. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Refresh token for `POST /auth/refresh`: `HttpOnly`, `SameSite=Strict`. On plain HTTP (loopback only), it is named `keycard_refresh` and has `Path=/auth`. A second cookie, `keycard_signed_in`, shows scripts of this origin that there is a session.
                     * @example __Host-keycard_refresh=…; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Strict
                     */
                    "Set-Cookie"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
                     *       "expiresIn": 900,
                     *       "tokenType": "Bearer"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Incorrect email or password. Code: `sign-in-failed`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The account isn't a member of any organization, or password sign-in is off. Codes: `no-organization`, `password-sign-in-off`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many failed attempts; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. Also returned if there was no session. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Signed out."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The Authorization header is malformed. Code: `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A page of another origin sent the request. Codes: `cross-site-request`, `service-account-not-allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    switchOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchOrganization"];
            };
        };
        responses: {
            /** @description An access token for the organization. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
                     *       "expiresIn": 900,
                     *       "tokenType": "Bearer"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            /** @description You are not a member of an organization with this id. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *       "client_secret": "kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM",
                 *       "grant_type": "client_credentials"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description An access token. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
                     *       "expires_in": 900,
                     *       "token_type": "Bearer"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The request is invalid. Codes: `invalid_request`, `unsupported_grant_type`, `invalid_scope`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The credentials are missing or wrong. Code: `invalid_client`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["BasicChallenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            408: components["responses"]["TokenRequestTimeout"];
            413: components["responses"]["TokenBodyTooLarge"];
            415: components["responses"]["TokenUnsupportedContentType"];
            417: components["responses"]["TokenExpectationFailed"];
            /** @description Too many failed attempts, or too many tokens; see `Retry-After`. Code: `temporarily_unavailable`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            431: components["responses"]["TokenHeadersTooLarge"];
            500: components["responses"]["TokenInternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Code: `temporarily_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event types. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eventTypes": [
                     *         {
                     *           "choosable": true,
                     *           "description": "An API key was created.",
                     *           "example": {
                     *             "data": {
                     *               "actor": {
                     *                 "email": "grace@example.com",
                     *                 "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                     *                 "kind": "user",
                     *                 "name": null
                     *               },
                     *               "apiKey": {
                     *                 "hint": "kc_4fT9q",
                     *                 "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *                 "name": "Search indexer"
                     *               },
                     *               "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                     *               "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                     *             },
                     *             "timestamp": "2026-01-31T09:30:00.123Z",
                     *             "type": "api_key.created"
                     *           },
                     *           "name": "api_key.created"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMember"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replica is ready for requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The replica is not ready; `detail` gives the reason. Codes: `not-ready`, `database-unavailable`, `engine-unavailable`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of invitations. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitations": [
                     *         {
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "email": "ada@example.com",
                     *           "expiresAt": "2026-01-31T09:30:00.123Z",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "invitedBy": {
                     *             "email": "ada@example.com",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "role": {
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Key manager"
                     *           }
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-members`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation was withdrawn. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The invitation was withdrawn."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-members`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invitation not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportLeakedKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeakedKeyReportList"];
            };
        };
        responses: {
            /** @description A label for each report, in the same order. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "label": "true_positive",
                     *         "token_raw": "kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM",
                     *         "token_type": "keycard_api_key"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LeakLabelList"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The signature is missing or wrong. Code: `invalid-signature`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The body is larger than 1 MB. Code: `payload-too-large`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many reports from this address; see `Retry-After`. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
                /** @description Only members whose name or email contains this text, case-insensitive. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of members. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "members": [
                     *         {
                     *           "email": "ada@example.com",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "joinedAt": "2026-01-31T09:30:00.123Z",
                     *           "name": "Ada Lovelace",
                     *           "role": {
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Key manager"
                     *           },
                     *           "userId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-members`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitation"];
            };
        };
        responses: {
            /** @description The invitation and its link. An earlier invitation for the same email no longer works. */
            201: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Path of the new invitation. Its last segment is the id.
                     * @example /invitations/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "email": "ada@example.com",
                     *       "expiresAt": "2026-01-31T09:30:00.123Z",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "invitedBy": {
                     *         "email": "ada@example.com",
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "link": "https://keycard.example.com/accept-invitation#token=EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0",
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Key manager"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `create-members` or one of the permissions of the invited role. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The organization has no role with this id. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The email belongs to a member. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    leaveOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You left the organization. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "You left the organization."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            408: components["responses"]["RequestTimeout"];
            /** @description No member would be left with both `update-roles` and `update-members`. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMember: {
        parameters: {
            query?: {
                /** @description What happens to the API keys that the member or service account created, at most 1,000: `keep` them, `disable` those that are enabled, or `delete` them. */
                keys?: "keep" | "disable" | "delete";
            };
            header?: never;
            path: {
                /** @description Id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member was removed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The member was removed."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-members` or `update-api-keys` for `keys=disable`, or `delete-api-keys` for `keys=delete`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Member not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description No member would be left with both `update-roles` and `update-members`, or the member created more than 1,000 keys. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMember"];
            };
        };
        responses: {
            /** @description The member with the new role. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "joinedAt": "2026-01-31T09:30:00.123Z",
                     *       "name": "Ada Lovelace",
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Key manager"
                     *       },
                     *       "userId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-members` or one of the permissions of the new role. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Member not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description No member would be left with both `update-roles` and `update-members`. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServedModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models and services. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "models": [
                     *         {
                     *           "aliases": [
                     *             "small"
                     *           ],
                     *           "contextFallback": null,
                     *           "engine": {
                     *             "dimensions": 512,
                     *             "maxDocumentBytes": 52428800,
                     *             "maxDocumentPages": 1000,
                     *             "maxInputs": 2048,
                     *             "maxTokens": 300000,
                     *             "maxTokensPerInput": 8192,
                     *             "name": "tesseract",
                     *             "state": "ready"
                     *           },
                     *           "fallbacks": [],
                     *           "id": "text-embedding-3-small",
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "maxOutputTokens": null,
                     *           "ownedBy": "openai",
                     *           "price": {
                     *             "above": [
                     *               {
                     *                 "inputTokens": 200000,
                     *                 "perMillionTokens": {
                     *                   "cacheWrite": "3.125",
                     *                   "cacheWrite1h": "5",
                     *                   "cachedInput": "0.25",
                     *                   "input": "2.5",
                     *                   "output": "15",
                     *                   "reasoning": "15"
                     *                 }
                     *               }
                     *             ],
                     *             "currency": "USD",
                     *             "perMillionTokens": {
                     *               "cacheWrite": "3.125",
                     *               "cacheWrite1h": "5",
                     *               "cachedInput": "0.25",
                     *               "input": "2.5",
                     *               "output": "15",
                     *               "reasoning": "15"
                     *             },
                     *             "perRequest": "0.001",
                     *             "perThousandPages": "1"
                     *           },
                     *           "routes": [],
                     *           "task": "embeddings",
                     *           "upstreams": [
                     *             {
                     *               "circuit": "closed",
                     *               "errorShare": 0.015,
                     *               "host": "api.openai.com",
                     *               "lastError": {
                     *                 "at": "2026-01-31T09:30:00.123Z",
                     *                 "reason": "responded 503"
                     *               },
                     *               "model": "text-embedding-3-small",
                     *               "p95Milliseconds": 84.213,
                     *               "share": 0.75
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "services": [
                     *         "authorize",
                     *         "search"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServedModels"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMember"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your organizations. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organizations": [
                     *         {
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "longestKeyLifetimeDays": 90,
                     *           "name": "Research",
                     *           "onLeak": "disable",
                     *           "role": {
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Key manager"
                     *           },
                     *           "timeZone": "Europe/Berlin",
                     *           "updatedAt": "2026-01-31T09:30:00.123Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MyOrganizationList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMemberOrUser"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganization"];
            };
        };
        responses: {
            /** @description The new organization. */
            201: {
                headers: {
                    /**
                     * @description Path of the new organization. Its last segment is the id.
                     * @example /organizations/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "longestKeyLifetimeDays": 90,
                     *       "name": "Research",
                     *       "onLeak": "disable",
                     *       "timeZone": "Europe/Berlin",
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not create organizations. Codes: `organization-creation-denied`, `no-organization`, `identity-refused`, `service-account-not-allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current organization. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "limits": [
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 600,
                     *           "metric": "requests",
                     *           "per": "minute",
                     *           "remaining": 480,
                     *           "reserved": 0,
                     *           "resetsAt": "2026-01-31T09:30:12.000Z",
                     *           "used": 120
                     *         },
                     *         {
                     *           "estimated": "0",
                     *           "isIncreased": false,
                     *           "max": "25",
                     *           "metric": "cost",
                     *           "notifyAt": [
                     *             50,
                     *             80,
                     *             100
                     *           ],
                     *           "per": "month",
                     *           "remaining": "23.75",
                     *           "reserved": "0.05",
                     *           "resetsAt": "2026-02-01T00:00:00.000Z",
                     *           "used": "1.25"
                     *         },
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 20,
                     *           "metric": "concurrency",
                     *           "remaining": 17,
                     *           "reserved": 0,
                     *           "resetsAt": null,
                     *           "used": 3
                     *         }
                     *       ],
                     *       "longestKeyLifetimeDays": 90,
                     *       "name": "Research",
                     *       "onLeak": "disable",
                     *       "timeZone": "Europe/Berlin",
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationDetails"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMember"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization was deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The organization was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-organization`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is the only organization. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOrganization"];
            };
        };
        responses: {
            /** @description The updated organization. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "longestKeyLifetimeDays": 90,
                     *       "name": "Research",
                     *       "onLeak": "disable",
                     *       "timeZone": "Europe/Berlin",
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-organization`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "at": "2026-01-31T09:30:00.123Z",
                     *       "attention": [
                     *         {
                     *           "count": 3,
                     *           "first": [
                     *             {
                     *               "at": "2026-01-31T09:30:00.123Z",
                     *               "hint": "kc_4fT9q",
                     *               "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *               "isDisabled": false,
                     *               "name": "Search indexer",
                     *               "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *               "usedPercent": 92.5
                     *             }
                     *           ],
                     *           "kind": "expiring-keys"
                     *         }
                     *       ],
                     *       "changes": [
                     *         {
                     *           "action": "api-key.update",
                     *           "actor": {
                     *             "email": "ada@example.com",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "kind": "user",
                     *             "name": null
                     *           },
                     *           "address": "203.0.113.7",
                     *           "after": {
                     *             "name": "Search indexer"
                     *           },
                     *           "before": {
                     *             "name": "Search"
                     *           },
                     *           "count": 15,
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "occurredAt": "2026-01-31T09:30:00.123Z",
                     *           "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                     *           "target": {
                     *             "hint": "kc_4fT9q",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "kind": "api-key",
                     *             "name": "Search indexer"
                     *           },
                     *           "userAgent": "curl/8.5.0"
                     *         }
                     *       ],
                     *       "costForecast": "31.2",
                     *       "currency": "USD",
                     *       "firstSteps": [
                     *         {
                     *           "isDone": true,
                     *           "name": "key"
                     *         }
                     *       ],
                     *       "keysReadAt": "2026-01-31T09:30:00.123Z",
                     *       "limits": [
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 600,
                     *           "metric": "requests",
                     *           "per": "minute",
                     *           "remaining": 480,
                     *           "reserved": 0,
                     *           "resetsAt": "2026-01-31T09:30:12.000Z",
                     *           "used": 120
                     *         },
                     *         {
                     *           "estimated": "0",
                     *           "isIncreased": false,
                     *           "max": "25",
                     *           "metric": "cost",
                     *           "notifyAt": [
                     *             50,
                     *             80,
                     *             100
                     *           ],
                     *           "per": "month",
                     *           "remaining": "23.75",
                     *           "reserved": "0.05",
                     *           "resetsAt": "2026-02-01T00:00:00.000Z",
                     *           "used": "1.25"
                     *         },
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 20,
                     *           "metric": "concurrency",
                     *           "remaining": 17,
                     *           "reserved": 0,
                     *           "resetsAt": null,
                     *           "used": 3
                     *         }
                     *       ],
                     *       "month": {
                     *         "from": "2026-01-31T00:00:00.000Z",
                     *         "points": [
                     *           {
                     *             "cost": "0.000012",
                     *             "failures": 3,
                     *             "inputTokens": 48000,
                     *             "outputTokens": 0,
                     *             "requests": 1200,
                     *             "start": "2026-01-31T00:00:00.000Z",
                     *             "unpricedRequests": 0
                     *           }
                     *         ],
                     *         "to": "2026-02-01T00:00:00.000Z",
                     *         "totals": {
                     *           "cost": "0.000012",
                     *           "failures": 3,
                     *           "inputTokens": 48000,
                     *           "outputTokens": 0,
                     *           "requests": 1200,
                     *           "unpricedRequests": 0
                     *         }
                     *       },
                     *       "people": [
                     *         {
                     *           "email": "ada@example.com",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "name": "Ada Lovelace"
                     *         }
                     *       ],
                     *       "previousMonth": {
                     *         "costFrom": "2025-12-28T00:00:00.000Z",
                     *         "from": "2025-12-01T00:00:00.000Z",
                     *         "to": "2025-12-31T10:00:00.000Z",
                     *         "totals": {
                     *           "cost": "0.000012",
                     *           "failures": 3,
                     *           "inputTokens": 48000,
                     *           "outputTokens": 0,
                     *           "requests": 1200,
                     *           "unpricedRequests": 0
                     *         },
                     *         "usageFrom": "2025-12-28T00:00:00.000Z"
                     *       },
                     *       "timeZone": "Europe/Berlin",
                     *       "today": {
                     *         "from": "2026-01-31T00:00:00.000Z",
                     *         "points": [
                     *           {
                     *             "cost": "0.000012",
                     *             "failures": 3,
                     *             "inputTokens": 48000,
                     *             "outputTokens": 0,
                     *             "requests": 1200,
                     *             "start": "2026-01-31T00:00:00.000Z",
                     *             "unpricedRequests": 0
                     *           }
                     *         ],
                     *         "to": "2026-02-01T00:00:00.000Z",
                     *         "totals": {
                     *           "cost": "0.000012",
                     *           "failures": 3,
                     *           "inputTokens": 48000,
                     *           "outputTokens": 0,
                     *           "requests": 1200,
                     *           "unpricedRequests": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMember"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFormerMembers: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
                /** @description Only former members whose name or email contains this text, case-insensitive. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of former members. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "formerMembers": [
                     *         {
                     *           "departure": "removed",
                     *           "email": "ada@example.com",
                     *           "joinedAt": "2026-01-31T09:30:00.123Z",
                     *           "name": "Ada Lovelace",
                     *           "removedAt": "2026-01-31T09:30:00.123Z",
                     *           "removedBy": {
                     *             "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                     *             "kind": "user",
                     *             "name": "Grace Hopper"
                     *           },
                     *           "role": "Key manager",
                     *           "userId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["FormerMemberList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-members`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com",
                     *       "formerMember": {
                     *         "departure": "removed",
                     *         "email": "ada@example.com",
                     *         "joinedAt": "2026-01-31T09:30:00.123Z",
                     *         "name": "Ada Lovelace",
                     *         "removedAt": "2026-01-31T09:30:00.123Z",
                     *         "removedBy": {
                     *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                     *           "kind": "user",
                     *           "name": "Grace Hopper"
                     *         },
                     *         "role": "Key manager",
                     *         "userId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *       },
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "member": {
                     *         "email": "ada@example.com",
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "joinedAt": "2026-01-31T09:30:00.123Z",
                     *         "name": "Ada Lovelace",
                     *         "role": {
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "name": "Key manager"
                     *         },
                     *         "userId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *       },
                     *       "name": "Ada Lovelace"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-members`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Person not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPersonSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "address": "203.0.113.7",
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *           "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PersonSessionList"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-audit-events`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Member not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The permissions. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "permissions": [
                     *         {
                     *           "description": "Create API keys",
                     *           "group": "API keys",
                     *           "name": "create-api-keys"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["NotAMember"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The roles. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "roles": [
                     *         {
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "invitationCount": 1,
                     *           "memberCount": 3,
                     *           "name": "Key manager",
                     *           "permissions": [
                     *             "create-api-keys",
                     *             "get-api-keys"
                     *           ],
                     *           "serviceAccountCount": 1,
                     *           "updatedAt": "2026-01-31T09:30:00.123Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RoleList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-roles`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRole"];
            };
        };
        responses: {
            /** @description The new role. */
            201: {
                headers: {
                    /**
                     * @description Path of the new role. Its last segment is the id.
                     * @example /roles/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "invitationCount": 1,
                     *       "memberCount": 3,
                     *       "name": "Key manager",
                     *       "permissions": [
                     *         "create-api-keys",
                     *         "get-api-keys"
                     *       ],
                     *       "serviceAccountCount": 1,
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `create-roles` or one of the new role's permissions. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The organization already has a role with this name. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role was deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The role was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-roles`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Role not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Members, invitations or service accounts have the role. The response lists them. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRole"];
            };
        };
        responses: {
            /** @description The updated role. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "invitationCount": 1,
                     *       "memberCount": 3,
                     *       "name": "Key manager",
                     *       "permissions": [
                     *         "create-api-keys",
                     *         "get-api-keys"
                     *       ],
                     *       "serviceAccountCount": 1,
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-roles` or a permission that you add or remove (or one of the role, if you rename it). Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Role not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The name is taken, or no member would be left with both `update-roles` and `update-members`. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
                /** @description Only service accounts whose name contains this text, case-insensitive. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of service accounts. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "serviceAccounts": [
                     *         {
                     *           "clientId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "hint": "kcs_4fT9q",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *           "name": "Deploy pipeline",
                     *           "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *           "role": {
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "name": "Key manager"
                     *           },
                     *           "updatedAt": "2026-01-31T09:30:00.123Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccountList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-service-accounts`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServiceAccount"];
            };
        };
        responses: {
            /** @description The credentials of the new service account. */
            201: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Path of the new service account. Its last segment is the id.
                     * @example /service-accounts/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clientId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "clientSecret": "kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *     }
                     */
                    "application/json": components["schemas"]["ClientCredentials"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `create-service-accounts` or one of the permissions of the role. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Role not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clientId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "hint": "kcs_4fT9q",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *       "name": "Deploy pipeline",
                     *       "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Key manager"
                     *       },
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-service-accounts`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service account not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: {
                /** @description What happens to the API keys that the member or service account created, at most 1,000: `keep` them, `disable` those that are enabled, or `delete` them. */
                keys?: "keep" | "disable" | "delete";
            };
            header?: never;
            path: {
                /** @description Id of the service account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account was deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The service account was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-service-accounts` or `update-api-keys` for `keys=disable`, or `delete-api-keys` for `keys=delete`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service account not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The service account created more than 1,000 keys. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateServiceAccount"];
            };
        };
        responses: {
            /** @description The changed service account. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clientId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "hint": "kcs_4fT9q",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "lastUsedAt": "2026-01-31T09:30:00.123Z",
                     *       "name": "Deploy pipeline",
                     *       "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *       "role": {
                     *         "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *         "name": "Key manager"
                     *       },
                     *       "updatedAt": "2026-01-31T09:30:00.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-service-accounts` or one of the permissions of the new role. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service account not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokePreviousClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The previous client secret was revoked. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The previous client secret was revoked."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-service-accounts`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service account not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateClientSecret"];
            };
        };
        responses: {
            /** @description The new credentials. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clientId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "clientSecret": "kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM",
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *     }
                     */
                    "application/json": components["schemas"]["ClientCredentials"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-service-accounts` or one of the permissions of the service account. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service account not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Start of the period (inclusive), rounded down to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: 24 hours before `to`. */
                from?: string;
                /** @description End of the period (exclusive), rounded up to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: now. */
                to?: string;
                /** @description Length of the interval of each point. `none` returns totals only. Usage is kept by `hour` for 35 days, and by UTC day before `hourlyFrom` of the response. */
                interval?: components["schemas"]["UsageInterval"];
                /** @description IANA time zone that defines days, such as `Europe/Berlin`. Only used with `interval=day`. */
                timeZone?: string;
                /** @description How to group usage. `none` returns a single group. With `tag`, a key counts in the group of each of its tags, and in a group without a tag if it has none. `creator` groups by the user or service account that created the key. */
                groupBy?: components["schemas"]["UsageGroupBy"];
                /** @description Maximum number of groups, in the order of `orderBy`. `others` sums up the remaining ones. Default: no limit. */
                limit?: number;
                /** @description Page of groups, with `limit` groups each. `others` sums up those that are not on it. Default: 1. */
                page?: number;
                /** @description What `groups` are ordered by: their number of requests, another amount, a latency, or their `name`, case-insensitive. Groups without the amount come last. */
                orderBy?: "requests" | "failures" | "limited" | "cost" | "name" | "inputTokens" | "cachedInputTokens" | "cacheWriteTokens" | "cacheWrite1hTokens" | "outputTokens" | "reasoningTokens" | "pages" | "estimatedRequests" | "medianMilliseconds" | "p95Milliseconds" | "p99Milliseconds" | "firstTokenMilliseconds";
                /** @description Direction of `orderBy`. */
                order?: "ASC" | "DESC";
                /** @description Only usage of the API key with this id, including deleted keys. Repeat the parameter for any of several. */
                apiKeyId?: string[];
                /** @description Only usage of the API keys that the user or service account with this id created, including deleted keys and former members. Repeat the parameter for any of several. */
                creatorId?: string[];
                /** @description Only usage of the model with this id. Repeat the parameter for any of several. */
                model?: string[];
                /** @description Only usage of the API keys that have this tag now, or had it when they were deleted. Case-insensitive. Repeat the parameter for any of several. */
                tag?: string[];
                /** @description With `groupBy=tag`, only tags that start with this text are groups, such as `team:`. Keys without such a tag count in the group without a tag. Case-insensitive. */
                tagPrefix?: string;
                /** @description Start of a period to compare with (inclusive), rounded down to the UTC hour. Requires `compareTo`. Groups then include those with usage in only one of the periods, and have `previousTotals`. */
                compareFrom?: string;
                /** @description End of the period to compare with (exclusive), rounded up to the UTC hour. Requires `compareFrom`. */
                compareTo?: string;
                /** @description Whether groups are ordered by the amount of `orderBy`, or by how much it changed since the period to compare with. */
                orderMode?: "amount" | "change";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage by API key, model, tag or creator and by hour or day. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comparedCostFrom": "2026-01-29T00:00:00.000Z",
                     *       "comparedFrom": "2026-01-28T00:00:00.000Z",
                     *       "comparedTo": "2026-01-30T00:00:00.000Z",
                     *       "comparedUsageFrom": "2026-01-29T00:00:00.000Z",
                     *       "currency": "USD",
                     *       "from": "2026-01-30T00:00:00.000Z",
                     *       "groupBy": "apiKey",
                     *       "groups": [
                     *         {
                     *           "apiKey": {
                     *             "hint": "kc_4fT9q",
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "isDeleted": false,
                     *             "name": "Search indexer"
                     *           },
                     *           "comparedCostFrom": "2026-01-29T00:00:00.000Z",
                     *           "comparedUsageFrom": "2026-01-29T00:00:00.000Z",
                     *           "creator": {
                     *             "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *             "kind": "member",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "model": "universal-sentence-encoder-lite",
                     *           "points": [
                     *             {
                     *               "cacheWrite1hTokens": 0,
                     *               "cacheWriteTokens": 0,
                     *               "cachedInputTokens": 0,
                     *               "cost": "0.000012",
                     *               "estimatedRequests": 0,
                     *               "failures": 3,
                     *               "firstTokenMilliseconds": 412.5,
                     *               "inputTokens": 48000,
                     *               "limited": 12,
                     *               "medianMilliseconds": 10.767,
                     *               "outputTokens": 0,
                     *               "p95Milliseconds": 30.443,
                     *               "p99Milliseconds": 43.054,
                     *               "pages": 0,
                     *               "reasoningTokens": 0,
                     *               "requests": 1200,
                     *               "start": "2026-01-31T00:00:00.000Z",
                     *               "unpricedRequests": 0
                     *             }
                     *           ],
                     *           "previousTotals": {
                     *             "cacheWrite1hTokens": 0,
                     *             "cacheWriteTokens": 0,
                     *             "cachedInputTokens": 0,
                     *             "cost": "0.000012",
                     *             "estimatedRequests": 0,
                     *             "failures": 3,
                     *             "firstTokenMilliseconds": 412.5,
                     *             "inputTokens": 48000,
                     *             "limited": 12,
                     *             "medianMilliseconds": 10.767,
                     *             "outputTokens": 0,
                     *             "p95Milliseconds": 30.443,
                     *             "p99Milliseconds": 43.054,
                     *             "pages": 0,
                     *             "reasoningTokens": 0,
                     *             "requests": 1200,
                     *             "unpricedRequests": 0
                     *           },
                     *           "tag": "production",
                     *           "totals": {
                     *             "cacheWrite1hTokens": 0,
                     *             "cacheWriteTokens": 0,
                     *             "cachedInputTokens": 0,
                     *             "cost": "0.000012",
                     *             "estimatedRequests": 0,
                     *             "failures": 3,
                     *             "firstTokenMilliseconds": 412.5,
                     *             "inputTokens": 48000,
                     *             "limited": 12,
                     *             "medianMilliseconds": 10.767,
                     *             "outputTokens": 0,
                     *             "p95Milliseconds": 30.443,
                     *             "p99Milliseconds": 43.054,
                     *             "pages": 0,
                     *             "reasoningTokens": 0,
                     *             "requests": 1200,
                     *             "unpricedRequests": 0
                     *           }
                     *         }
                     *       ],
                     *       "hourlyFrom": "2025-12-28T00:00:00.000Z",
                     *       "interval": "day",
                     *       "keptFrom": "2024-12-28T00:00:00.000Z",
                     *       "others": {
                     *         "groupCount": 7,
                     *         "points": [
                     *           {
                     *             "cacheWrite1hTokens": 0,
                     *             "cacheWriteTokens": 0,
                     *             "cachedInputTokens": 0,
                     *             "cost": "0.000012",
                     *             "estimatedRequests": 0,
                     *             "failures": 3,
                     *             "firstTokenMilliseconds": 412.5,
                     *             "inputTokens": 48000,
                     *             "limited": 12,
                     *             "medianMilliseconds": 10.767,
                     *             "outputTokens": 0,
                     *             "p95Milliseconds": 30.443,
                     *             "p99Milliseconds": 43.054,
                     *             "pages": 0,
                     *             "reasoningTokens": 0,
                     *             "requests": 1200,
                     *             "start": "2026-01-31T00:00:00.000Z",
                     *             "unpricedRequests": 0
                     *           }
                     *         ],
                     *         "previousTotals": {
                     *           "cacheWrite1hTokens": 0,
                     *           "cacheWriteTokens": 0,
                     *           "cachedInputTokens": 0,
                     *           "cost": "0.000012",
                     *           "estimatedRequests": 0,
                     *           "failures": 3,
                     *           "firstTokenMilliseconds": 412.5,
                     *           "inputTokens": 48000,
                     *           "limited": 12,
                     *           "medianMilliseconds": 10.767,
                     *           "outputTokens": 0,
                     *           "p95Milliseconds": 30.443,
                     *           "p99Milliseconds": 43.054,
                     *           "pages": 0,
                     *           "reasoningTokens": 0,
                     *           "requests": 1200,
                     *           "unpricedRequests": 0
                     *         },
                     *         "totals": {
                     *           "cacheWrite1hTokens": 0,
                     *           "cacheWriteTokens": 0,
                     *           "cachedInputTokens": 0,
                     *           "cost": "0.000012",
                     *           "estimatedRequests": 0,
                     *           "failures": 3,
                     *           "firstTokenMilliseconds": 412.5,
                     *           "inputTokens": 48000,
                     *           "limited": 12,
                     *           "medianMilliseconds": 10.767,
                     *           "outputTokens": 0,
                     *           "p95Milliseconds": 30.443,
                     *           "p99Milliseconds": 43.054,
                     *           "pages": 0,
                     *           "reasoningTokens": 0,
                     *           "requests": 1200,
                     *           "unpricedRequests": 0
                     *         }
                     *       },
                     *       "timeZone": "Europe/Berlin",
                     *       "to": "2026-02-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            /** @description Invalid query parameter, or more than 1,000 points; `errors` lists the parameters. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-usage`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportUsage: {
        parameters: {
            query?: {
                /** @description Start of the period (inclusive), rounded down to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: 24 hours before `to`. */
                from?: string;
                /** @description End of the period (exclusive), rounded up to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: now. */
                to?: string;
                /** @description Length of the interval of each point. `none` returns totals only. Usage is kept by `hour` for 35 days, and by UTC day before `hourlyFrom` of the response. */
                interval?: components["schemas"]["UsageInterval"];
                /** @description IANA time zone that defines days, such as `Europe/Berlin`. Only used with `interval=day`. */
                timeZone?: string;
                /** @description How to group usage. `none` returns a single group. With `tag`, a key counts in the group of each of its tags, and in a group without a tag if it has none. `creator` groups by the user or service account that created the key. */
                groupBy?: components["schemas"]["UsageGroupBy"];
                /** @description Maximum number of groups, in the order of `orderBy`. `others` sums up the remaining ones. Default: no limit. */
                limit?: number;
                /** @description Page of groups, with `limit` groups each. `others` sums up those that are not on it. Default: 1. */
                page?: number;
                /** @description What `groups` are ordered by: their number of requests, another amount, a latency, or their `name`, case-insensitive. Groups without the amount come last. */
                orderBy?: "requests" | "failures" | "limited" | "cost" | "name" | "inputTokens" | "cachedInputTokens" | "cacheWriteTokens" | "cacheWrite1hTokens" | "outputTokens" | "reasoningTokens" | "pages" | "estimatedRequests" | "medianMilliseconds" | "p95Milliseconds" | "p99Milliseconds" | "firstTokenMilliseconds";
                /** @description Direction of `orderBy`. */
                order?: "ASC" | "DESC";
                /** @description Only usage of the API key with this id, including deleted keys. Repeat the parameter for any of several. */
                apiKeyId?: string[];
                /** @description Only usage of the API keys that the user or service account with this id created, including deleted keys and former members. Repeat the parameter for any of several. */
                creatorId?: string[];
                /** @description Only usage of the model with this id. Repeat the parameter for any of several. */
                model?: string[];
                /** @description Only usage of the API keys that have this tag now, or had it when they were deleted. Case-insensitive. Repeat the parameter for any of several. */
                tag?: string[];
                /** @description With `groupBy=tag`, only tags that start with this text are groups, such as `team:`. Keys without such a tag count in the group without a tag. Case-insensitive. */
                tagPrefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file with the points of the report. */
            200: {
                headers: {
                    /**
                     * @description File name.
                     * @example attachment; filename="usage-2026-01-31.csv"
                     */
                    "Content-Disposition"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example start,apiKeyId,apiKeyName,apiKeyHint,requests */
                    "text/csv": string;
                };
            };
            /** @description Invalid query parameter, or more than 1,000 points; `errors` lists the parameters. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-usage`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countFailures: {
        parameters: {
            query?: {
                /** @description Start of the period (inclusive), rounded down to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: 24 hours before `to`. */
                from?: string;
                /** @description End of the period (exclusive), rounded up to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: now. */
                to?: string;
                /** @description Only usage of the API key with this id, including deleted keys. Repeat the parameter for any of several. */
                apiKeyId?: string[];
                /** @description Only usage of the API keys that the user or service account with this id created, including deleted keys and former members. Repeat the parameter for any of several. */
                creatorId?: string[];
                /** @description Only usage of the model with this id. Repeat the parameter for any of several. */
                model?: string[];
                /** @description Only usage of the API keys that have this tag now, or had it when they were deleted. Case-insensitive. Repeat the parameter for any of several. */
                tag?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts by status and error code. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "failures": [
                     *         {
                     *           "apiKeyCount": 1,
                     *           "apiKeys": [
                     *             {
                     *               "hint": "kc_4fT9q",
                     *               "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *               "isDeleted": false,
                     *               "name": "Search indexer",
                     *               "requests": 12
                     *             }
                     *           ],
                     *           "clientCode": "model_not_allowed",
                     *           "code": "model-not-allowed",
                     *           "remedy": "Choose a model listed by `GET /v1/models`, or add the model to the key.",
                     *           "requests": 12,
                     *           "status": 403,
                     *           "title": "Model not allowed"
                     *         }
                     *       ],
                     *       "from": "2026-01-30T00:00:00.000Z",
                     *       "to": "2026-02-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureReport"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-usage`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    authorize: {
        parameters: {
            query?: {
                /** @description Name of the service, as declared in the models file. `authorize` if omitted. */
                service?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key may be used. */
            204: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the API key.
                     * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    "x-keycard-key-id"?: string;
                    /**
                     * @description Name of the API key, percent-encoded as UTF-8.
                     * @example Search%20indexer
                     */
                    "x-keycard-key-name"?: string;
                    /**
                     * @description Id of the organization that the API key belongs to.
                     * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    "x-keycard-organization-id"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid or repeated parameter; `param` names it. Code: `null`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this service. Codes: `api_key_disabled`, `address_not_allowed`, `service_not_allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Service not found. Code: `service_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    authorizePost: {
        parameters: {
            query?: {
                /** @description Name of the service, as declared in the models file. `authorize` if omitted. */
                service?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key may be used. */
            204: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the API key.
                     * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    "x-keycard-key-id"?: string;
                    /**
                     * @description Name of the API key, percent-encoded as UTF-8.
                     * @example Search%20indexer
                     */
                    "x-keycard-key-name"?: string;
                    /**
                     * @description Id of the organization that the API key belongs to.
                     * @example 01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    "x-keycard-organization-id"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid or repeated parameter; `param` names it. Code: `null`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this service. Codes: `api_key_disabled`, `address_not_allowed`, `service_not_allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Service not found. Code: `service_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The generated text; with `stream: true`, as events. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the model that has served the request, percent-encoded. May be a fallback.
                     * @example gpt-mini
                     */
                    "x-keycard-model"?: string;
                    /**
                     * @description The limit that a budget has set to the output of each choice, in tokens. Absent if it left enough.
                     * @example 400
                     */
                    "x-keycard-output-limit"?: number;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "choices": [
                     *         {
                     *           "finish_reason": "stop",
                     *           "index": 0,
                     *           "message": {
                     *             "content": "Hello!",
                     *             "role": "assistant"
                     *           }
                     *         }
                     *       ],
                     *       "model": "gpt-mini",
                     *       "usage": {
                     *         "completion_tokens": 3,
                     *         "prompt_tokens": 12,
                     *         "total_tokens": 15
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    /** @example data: [DONE] */
                    "text/event-stream": string;
                };
            };
            /** @description Invalid parameter; `param` names it. Codes: `null`, `upstream_rejected`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`, `model_without_price`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            /** @description The body is larger than 32 MB. Code: `null`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `null`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The upstream failed. Code: `upstream_failed`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `upstream_timeout`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error of the upstream, with the upstream's status, type and message. Codes: `upstream_rejected`, `upstream_failed`, `upstream_timeout`, `upstream_unavailable`. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextCompletionRequest"];
            };
        };
        responses: {
            /** @description The generated text; with `stream: true`, as events. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the model that has served the request, percent-encoded. May be a fallback.
                     * @example gpt-mini
                     */
                    "x-keycard-model"?: string;
                    /**
                     * @description The limit that a budget has set to the output of each choice, in tokens. Absent if it left enough.
                     * @example 400
                     */
                    "x-keycard-output-limit"?: number;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "choices": [
                     *         {
                     *           "finish_reason": "length",
                     *           "index": 0,
                     *           "text": " there was"
                     *         }
                     *       ],
                     *       "model": "gpt-mini",
                     *       "usage": {
                     *         "completion_tokens": 3,
                     *         "prompt_tokens": 12,
                     *         "total_tokens": 15
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TextCompletion"];
                    /** @example data: [DONE] */
                    "text/event-stream": string;
                };
            };
            /** @description Invalid parameter; `param` names it. Codes: `null`, `upstream_rejected`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`, `model_without_price`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            /** @description The body is larger than 32 MB. Code: `null`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `null`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The upstream failed. Code: `upstream_failed`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `upstream_timeout`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error of the upstream, with the upstream's status, type and message. Codes: `upstream_rejected`, `upstream_failed`, `upstream_timeout`, `upstream_unavailable`. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description A vector for each text. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /** @description `language` if a text is in none of the `languages` of a model inside Keycard, or has no known words, such as one of emoji only. Such vectors have no meaning. Otherwise absent. */
                    "x-keycard-warning"?: "language";
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "embedding": [
                     *             0.0123,
                     *             -0.0456
                     *           ],
                     *           "index": 0,
                     *           "object": "embedding"
                     *         }
                     *       ],
                     *       "id": "embd-0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                     *       "model": "universal-sentence-encoder-lite",
                     *       "object": "list",
                     *       "usage": {
                     *         "prompt_tokens": 8,
                     *         "total_tokens": 8
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            /** @description Invalid parameter; `param` names it. Codes: `null`, `upstream_rejected`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`, `model_without_price`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            /** @description The body is larger than 10 MB. Code: `null`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `null`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The upstream failed. Code: `upstream_failed`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `upstream_timeout`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getCurrentKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because what is left changes.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addresses": [
                     *         "203.0.113.7",
                     *         "2001:db8::/32"
                     *       ],
                     *       "cost": {
                     *         "amount": "1.25",
                     *         "currency": "USD",
                     *         "month": "2026-01"
                     *       },
                     *       "expiresAt": "2027-01-31T09:30:00.000Z",
                     *       "hint": "kc_4fT9q",
                     *       "limits": [
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 600,
                     *           "metric": "requests",
                     *           "per": "minute",
                     *           "remaining": 480,
                     *           "reserved": 0,
                     *           "resetsAt": "2026-01-31T09:30:12.000Z",
                     *           "used": 120
                     *         },
                     *         {
                     *           "estimated": "0",
                     *           "isIncreased": false,
                     *           "max": "25",
                     *           "metric": "cost",
                     *           "notifyAt": [
                     *             50,
                     *             80,
                     *             100
                     *           ],
                     *           "per": "month",
                     *           "remaining": "23.75",
                     *           "reserved": "0.05",
                     *           "resetsAt": "2026-02-01T00:00:00.000Z",
                     *           "used": "1.25"
                     *         },
                     *         {
                     *           "estimated": 0,
                     *           "isIncreased": false,
                     *           "max": 20,
                     *           "metric": "concurrency",
                     *           "remaining": 17,
                     *           "reserved": 0,
                     *           "resetsAt": null,
                     *           "used": 3
                     *         }
                     *       ],
                     *       "models": [
                     *         "universal-sentence-encoder-lite"
                     *       ],
                     *       "name": "Search indexer"
                     *     }
                     */
                    "application/json": components["schemas"]["CurrentApiKey"];
                };
            };
            400: components["responses"]["AiMalformedRequest"];
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address. Codes: `api_key_disabled`, `address_not_allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description The generated text; with `stream: true`, as events. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the model that has served the request, percent-encoded. May be a fallback.
                     * @example gpt-mini
                     */
                    "x-keycard-model"?: string;
                    /**
                     * @description The limit that a budget has set to the output of each choice, in tokens. Absent if it left enough.
                     * @example 400
                     */
                    "x-keycard-output-limit"?: number;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "content": [
                     *         {
                     *           "text": "Hello!",
                     *           "type": "text"
                     *         }
                     *       ],
                     *       "model": "gpt-mini",
                     *       "usage": {
                     *         "input_tokens": 12,
                     *         "output_tokens": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GeneratedMessage"];
                    /** @example data: [DONE] */
                    "text/event-stream": string;
                };
            };
            /** @description Invalid parameter; `param` names it. Code: `invalid_request_error`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The API key is missing or invalid. Code: `authentication_error`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Code: `permission_error`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description Model not found. Code: `not_found_error`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            408: components["responses"]["MessagesRequestTimeout"];
            /** @description The body is larger than 32 MB. Code: `request_too_large`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `invalid_request_error`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            417: components["responses"]["MessagesExpectationFailed"];
            421: components["responses"]["MessagesOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Code: `rate_limit_error`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            431: components["responses"]["MessagesHeadersTooLarge"];
            500: components["responses"]["MessagesInternalError"];
            /** @description The upstream failed. Code: `api_error`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Code: `overloaded_error`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `timeout_error`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description An error of the upstream, with the upstream's status, type and message. Codes: `invalid_request_error`, `api_error`, `timeout_error`, `overloaded_error`. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
        };
    };
    countMessageTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description The number of input tokens. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the model that has served the request, percent-encoded. May be a fallback.
                     * @example gpt-mini
                     */
                    "x-keycard-model"?: string;
                    /**
                     * @description The limit that a budget has set to the output of each choice, in tokens. Absent if it left enough.
                     * @example 400
                     */
                    "x-keycard-output-limit"?: number;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "input_tokens": 12
                     *     }
                     */
                    "application/json": components["schemas"]["MessageTokenCount"];
                };
            };
            /** @description Invalid parameter; `param` names it. Code: `invalid_request_error`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The API key is missing or invalid. Code: `authentication_error`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Code: `permission_error`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description Model not found. Code: `not_found_error`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            408: components["responses"]["MessagesRequestTimeout"];
            /** @description The body is larger than 32 MB. Code: `request_too_large`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `invalid_request_error`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            417: components["responses"]["MessagesExpectationFailed"];
            421: components["responses"]["MessagesOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Code: `rate_limit_error`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            431: components["responses"]["MessagesHeadersTooLarge"];
            500: components["responses"]["MessagesInternalError"];
            /** @description The upstream failed. Code: `api_error`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Code: `overloaded_error`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `timeout_error`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description An error of the upstream, with the upstream's status, type and message. Codes: `invalid_request_error`, `api_error`, `timeout_error`, `overloaded_error`. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models that the API key may use, including aliases. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "capabilities": {
                     *             "classification": false,
                     *             "completion_chat": false,
                     *             "completion_fim": false,
                     *             "fine_tuning": false,
                     *             "function_calling": false,
                     *             "ocr": false,
                     *             "vision": false
                     *           },
                     *           "created": 1522281600,
                     *           "id": "universal-sentence-encoder-lite",
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "object": "model",
                     *           "owned_by": "keycard",
                     *           "task": "embeddings",
                     *           "type": "base"
                     *         }
                     *       ],
                     *       "object": "list"
                     *     }
                     */
                    "application/json": components["schemas"]["AvailableModels"];
                };
            };
            400: components["responses"]["AiMalformedRequest"];
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address. Codes: `api_key_disabled`, `address_not_allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or alias of the model. Slashes may be sent as they are or as `%2F`. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "capabilities": {
                     *         "classification": false,
                     *         "completion_chat": false,
                     *         "completion_fim": false,
                     *         "fine_tuning": false,
                     *         "function_calling": false,
                     *         "ocr": false,
                     *         "vision": false
                     *       },
                     *       "created": 1522281600,
                     *       "id": "universal-sentence-encoder-lite",
                     *       "languages": [
                     *         "en"
                     *       ],
                     *       "object": "model",
                     *       "owned_by": "keycard",
                     *       "task": "embeddings",
                     *       "type": "base"
                     *     }
                     */
                    "application/json": components["schemas"]["AvailableModel"];
                };
            };
            /** @description Malformed URL. Code: `null`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    readDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OcrRequest"];
                /**
                 * @example {
                 *       "file": "invoice.pdf",
                 *       "model": "tesseract"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["OcrUpload"];
            };
        };
        responses: {
            /** @description The text of each page. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "document_annotation": null,
                     *       "model": "tesseract",
                     *       "pages": [
                     *         {
                     *           "blocks": null,
                     *           "confidence": 0.93,
                     *           "confidence_scores": {
                     *             "average_page_confidence_score": 0.93,
                     *             "minimum_page_confidence_score": 0.93,
                     *             "word_confidence_scores": [
                     *               {
                     *                 "confidence": 0.93,
                     *                 "start_index": 0,
                     *                 "text": "Invoice"
                     *               }
                     *             ]
                     *           },
                     *           "dimensions": {
                     *             "dpi": 200,
                     *             "height": 2339,
                     *             "width": 1654
                     *           },
                     *           "error": {
                     *             "message": "Page 3 took longer than 60 s to read."
                     *           },
                     *           "footer": "Page 7",
                     *           "header": "Harbour report 2024",
                     *           "hyperlinks": [],
                     *           "images": [
                     *             {
                     *               "bottom_right_x": 844,
                     *               "bottom_right_y": 890,
                     *               "id": "img-0.jpeg",
                     *               "image_annotation": null,
                     *               "image_base64": "data:image/jpeg;base64,/9j/4AAQSkZJRg==",
                     *               "top_left_x": 128,
                     *               "top_left_y": 412
                     *             }
                     *           ],
                     *           "index": 0,
                     *           "languages": [
                     *             "deu"
                     *           ],
                     *           "markdown": "# Invoice\n\nDue in 30 days",
                     *           "tables": [],
                     *           "warning": {
                     *             "code": "low_confidence",
                     *             "message": "Much of the text may be wrong. Send a sharper scan, or check the text."
                     *           }
                     *         }
                     *       ],
                     *       "usage_info": {
                     *         "doc_size_bytes": 48213,
                     *         "pages_processed": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OcrResponse"];
                };
            };
            /** @description Invalid parameter; `param` names it. Codes: `null`, `upstream_rejected`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`, `model_without_price`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            /** @description The body is larger than 80 MB, or the document larger than 50 MB. Code: `null`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `null`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description The document or all of its pages could not be read. Codes: `unreadable_document`, `pages_failed`, `no_text_found`. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The upstream failed. Code: `upstream_failed`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `upstream_timeout`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "invoice.pdf",
                 *       "model": "tesseract"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["OcrUpload"];
            };
        };
        responses: {
            /** @description The text of each page. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "document_annotation": null,
                     *       "model": "tesseract",
                     *       "pages": [
                     *         {
                     *           "blocks": null,
                     *           "confidence": 0.93,
                     *           "confidence_scores": {
                     *             "average_page_confidence_score": 0.93,
                     *             "minimum_page_confidence_score": 0.93,
                     *             "word_confidence_scores": [
                     *               {
                     *                 "confidence": 0.93,
                     *                 "start_index": 0,
                     *                 "text": "Invoice"
                     *               }
                     *             ]
                     *           },
                     *           "dimensions": {
                     *             "dpi": 200,
                     *             "height": 2339,
                     *             "width": 1654
                     *           },
                     *           "error": {
                     *             "message": "Page 3 took longer than 60 s to read."
                     *           },
                     *           "footer": "Page 7",
                     *           "header": "Harbour report 2024",
                     *           "hyperlinks": [],
                     *           "images": [
                     *             {
                     *               "bottom_right_x": 844,
                     *               "bottom_right_y": 890,
                     *               "id": "img-0.jpeg",
                     *               "image_annotation": null,
                     *               "image_base64": "data:image/jpeg;base64,/9j/4AAQSkZJRg==",
                     *               "top_left_x": 128,
                     *               "top_left_y": 412
                     *             }
                     *           ],
                     *           "index": 0,
                     *           "languages": [
                     *             "deu"
                     *           ],
                     *           "markdown": "# Invoice\n\nDue in 30 days",
                     *           "tables": [],
                     *           "warning": {
                     *             "code": "low_confidence",
                     *             "message": "Much of the text may be wrong. Send a sharper scan, or check the text."
                     *           }
                     *         }
                     *       ],
                     *       "usage_info": {
                     *         "doc_size_bytes": 48213,
                     *         "pages_processed": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OcrResponse"];
                };
            };
            /** @description Invalid parameter; `param` names it. Codes: `null`, `upstream_rejected`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`, `model_without_price`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            /** @description The body is larger than 80 MB, or the document larger than 50 MB. Code: `null`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `null`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description The document or all of its pages could not be read. Codes: `unreadable_document`, `pages_failed`, `no_text_found`. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The upstream failed. Code: `upstream_failed`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `upstream_timeout`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description The generated text; with `stream: true`, as events. */
            200: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description Id of the model that has served the request, percent-encoded. May be a fallback.
                     * @example gpt-mini
                     */
                    "x-keycard-model"?: string;
                    /**
                     * @description The limit that a budget has set to the output of each choice, in tokens. Absent if it left enough.
                     * @example 400
                     */
                    "x-keycard-output-limit"?: number;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model": "gpt-mini",
                     *       "output": [
                     *         {
                     *           "content": [
                     *             {
                     *               "text": "Hello!",
                     *               "type": "output_text"
                     *             }
                     *           ],
                     *           "role": "assistant",
                     *           "type": "message"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 12,
                     *         "output_tokens": 3,
                     *         "total_tokens": 15
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GeneratedResponse"];
                    /** @example data: [DONE] */
                    "text/event-stream": string;
                };
            };
            /** @description Invalid parameter; `param` names it. Codes: `null`, `upstream_rejected`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is missing or invalid. Codes: `null`, `invalid_api_key`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price. Codes: `api_key_disabled`, `address_not_allowed`, `model_not_allowed`, `model_without_price`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Model not found. Code: `model_not_found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            408: components["responses"]["AiRequestTimeout"];
            /** @description The body is larger than 32 MB. Code: `null`. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Unsupported content type, or compressed body. Code: `null`. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            417: components["responses"]["AiExpectationFailed"];
            421: components["responses"]["AiOrganizationMoved"];
            /** @description A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present. Codes: `rate_limit_exceeded`, `insufficient_quota`. */
            429: {
                headers: {
                    /**
                     * @description Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`). Absent without limits.
                     * @example "key-requests-minute";r=59;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers). Absent without limits.
                     * @example "key-requests-minute";q=60;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    /**
                     * @description Milliseconds to wait before retrying.
                     * @example 980
                     */
                    "retry-after-ms"?: number;
                    /**
                     * @description What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.
                     * @example 24.9999875
                     */
                    "x-keycard-budget-remaining"?: string;
                    /**
                     * @description What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.
                     * @example 0.0000125
                     */
                    "x-keycard-cost"?: string;
                    /**
                     * @description The tightest limit on requests. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-requests"?: number;
                    /**
                     * @description The tightest limit on tokens. Absent without limits.
                     * @example 60
                     */
                    "x-ratelimit-limit-tokens"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-requests"?: number;
                    /**
                     * @description Remaining amount of that limit. Absent without limits.
                     * @example 59
                     */
                    "x-ratelimit-remaining-tokens"?: number;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-requests"?: string;
                    /**
                     * @description Time until that limit is fully available again. Absent without limits.
                     * @example 1s
                     */
                    "x-ratelimit-reset-tokens"?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    /**
                     * @description `false` if retrying soon is pointless: a budget is exhausted.
                     * @example false
                     */
                    "x-should-retry"?: "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            431: components["responses"]["AiHeadersTooLarge"];
            500: components["responses"]["AiInternalError"];
            /** @description The upstream failed. Code: `upstream_failed`. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`. Codes: `database_unavailable`, `organization_moving`, `overloaded`, `engine_unavailable`, `upstream_unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The upstream did not respond in time. Code: `upstream_timeout`. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error of the upstream, with the upstream's status, type and message. Codes: `upstream_rejected`, `upstream_failed`, `upstream_timeout`, `upstream_unavailable`. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "total": 1,
                     *       "webhooks": [
                     *         {
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "disabledReason": null,
                     *           "enabled": true,
                     *           "eventTypes": [
                     *             "api_key.expiring",
                     *             "limit.exhausted"
                     *           ],
                     *           "failedAttempt": {
                     *             "at": "2026-01-31T09:30:00.123Z",
                     *             "durationMs": 87,
                     *             "error": null,
                     *             "response": "",
                     *             "status": 204
                     *           },
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *           "updatedAt": "2026-01-31T09:30:00.123Z",
                     *           "url": "https://example.com/webhooks/keycard"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The new webhook and its secret. */
            201: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    /**
                     * @description Path of the new webhook. Its last segment is the id.
                     * @example /webhooks/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f
                     */
                    Location?: string;
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwRZx4kq0v5Qw="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `create-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The organization has the maximum number of webhooks. Code: `conflict`. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "disabledReason": null,
                     *       "enabled": true,
                     *       "eventTypes": [
                     *         "api_key.expiring",
                     *         "limit.exhausted"
                     *       ],
                     *       "failedAttempt": {
                     *         "at": "2026-01-31T09:30:00.123Z",
                     *         "durationMs": 87,
                     *         "error": null,
                     *         "response": "",
                     *         "status": 204
                     *       },
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *       "updatedAt": "2026-01-31T09:30:00.123Z",
                     *       "url": "https://example.com/webhooks/keycard"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Webhook not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The webhook was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `delete-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Webhook not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description The changed webhook. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "createdAt": "2026-01-31T09:30:00.123Z",
                     *       "disabledReason": null,
                     *       "enabled": true,
                     *       "eventTypes": [
                     *         "api_key.expiring",
                     *         "limit.exhausted"
                     *       ],
                     *       "failedAttempt": {
                     *         "at": "2026-01-31T09:30:00.123Z",
                     *         "durationMs": 87,
                     *         "error": null,
                     *         "response": "",
                     *         "status": 204
                     *       },
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "previousSecretExpiresAt": "2026-01-31T09:30:00.123Z",
                     *       "updatedAt": "2026-01-31T09:30:00.123Z",
                     *       "url": "https://example.com/webhooks/keycard"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Webhook not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page number. */
                page?: number;
                /** @description Items per page. */
                perPage?: number;
                /** @description Only deliveries with this status. */
                status?: "waiting" | "succeeded" | "failed";
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "attempts": [
                     *             {
                     *               "at": "2026-01-31T09:30:00.123Z",
                     *               "durationMs": 87,
                     *               "error": null,
                     *               "response": "",
                     *               "status": 204
                     *             }
                     *           ],
                     *           "createdAt": "2026-01-31T09:30:00.123Z",
                     *           "event": {
                     *             "data": {
                     *               "actor": {
                     *                 "email": "grace@example.com",
                     *                 "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                     *                 "kind": "user",
                     *                 "name": null
                     *               },
                     *               "apiKey": {
                     *                 "hint": "kc_4fT9q",
                     *                 "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *                 "name": "Search indexer"
                     *               },
                     *               "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                     *               "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                     *             },
                     *             "timestamp": "2026-01-31T09:30:00.123Z",
                     *             "type": "api_key.created"
                     *           },
                     *           "eventId": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *           "kind": "event",
                     *           "nextAttemptAt": null,
                     *           "status": "succeeded"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "perPage": 10,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid query parameter; `errors` lists them. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `get-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Webhook not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
                /** @description Id of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhookDelivery"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Malformed URL. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description Delivery not found.
             *
             *     Webhook not found. Code: `not-found`.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description The webhook and its new secret. */
            200: {
                headers: {
                    /**
                     * @description Always `no-store`, because the response contains a secret.
                     * @example no-store
                     */
                    "Cache-Control"?: "no-store";
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwRZx4kq0v5Qw="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /**
             * @description Malformed URL.
             *
             *     Invalid body; `errors` lists the fields. Codes: `validation-failed`, `malformed-request`.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Webhook not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the test. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhookDelivery"];
                };
            };
            /** @description Malformed URL. Codes: `validation-failed`, `malformed-request`. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The JWT is missing, malformed, expired or not valid. Codes: `missing-credential`, `wrong-credential`, `invalid-credential`. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Your role lacks `update-webhooks`. Codes: `missing-permission`, `no-organization`, `identity-refused`. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Webhook not found. Code: `not-found`. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            417: components["responses"]["ExpectationFailed"];
            /** @description You or your organization sent too many of these requests. The error names the limit. Code: `too-many-requests`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The service is overloaded, or the database is unavailable; see `Retry-After`. Codes: `database-unavailable`, `organization-moving`, `overloaded`, `identity-provider-unavailable`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    apiKeyCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.created"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyDeletedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.deleted"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyDisabledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.disabled"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyEnabledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.enabled"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyExpiredEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "expiresAt": "2026-01-31T09:30:00.000Z",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.expired"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyExpiringEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "daysLeft": 7,
                 *         "expiresAt": "2026-02-07T09:30:00.000Z",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.expiring"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyLeakedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "outcome": "disabled",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "secret": "current",
                 *         "source": "content",
                 *         "url": "https://github.com/example/app/blob/main/.env"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.leaked"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyRotatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "gracePeriodSeconds": 3600,
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.rotated"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeyUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "changedFields": [
                 *           "name",
                 *           "limits"
                 *         ],
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "api_key.updated"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    auditCheckpointEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "checkpoint": "keycard/01936f5e\n42\nqJ8d0p1tYw3N2o0nqZ4hX0b8l6sV1m9c5f7e3a2k1Gs=\n\n— keycard …",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "audit.checkpoint"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    limitExhaustedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "charged": "25.0004",
                 *         "max": "25",
                 *         "metric": "cost",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "per": "month",
                 *         "percent": 100,
                 *         "periodStart": "2026-01-01T00:00:00.000Z",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "limit.exhausted"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    limitThresholdReachedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "apiKey": {
                 *           "hint": "kc_4fT9q",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Search indexer"
                 *         },
                 *         "charged": "20.0013",
                 *         "max": "25",
                 *         "metric": "cost",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "per": "month",
                 *         "percent": 80,
                 *         "periodStart": "2026-01-01T00:00:00.000Z",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "limit.threshold_reached"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    memberInvitedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "invitation": {
                 *           "email": "ada@example.com",
                 *           "id": "01936f60-1e02-7a51-8c15-3a5d1f1f2a77"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": "Developer"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "member.invited"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    memberJoinedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "member": {
                 *           "email": "ada@example.com",
                 *           "id": "01936f60-1e02-7a51-8c15-3a5d1f1f2a77"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": "Developer"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "member.joined"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    memberLeftEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "member": {
                 *           "email": "ada@example.com",
                 *           "id": "01936f60-1e02-7a51-8c15-3a5d1f1f2a77"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": "Developer"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "member.left"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    memberRemovedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "member": {
                 *           "email": "ada@example.com",
                 *           "id": "01936f60-1e02-7a51-8c15-3a5d1f1f2a77"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": "Developer"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "member.removed"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    memberRoleChangedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "member": {
                 *           "email": "ada@example.com",
                 *           "id": "01936f60-1e02-7a51-8c15-3a5d1f1f2a77"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "previousRole": "Developer",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": "Owner"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "member.role_changed"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    organizationUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "changedFields": [
                 *           "limits"
                 *         ],
                 *         "organization": {
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f",
                 *           "name": "Research"
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "organization.updated"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    roleCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": {
                 *           "id": "01936f61-0c4d-7b0e-9a44-6f3d5f1b6c11",
                 *           "name": "Developer"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "role.created"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    roleDeletedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": {
                 *           "id": "01936f61-0c4d-7b0e-9a44-6f3d5f1b6c11",
                 *           "name": "Developer"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "role.deleted"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    roleUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "changedFields": [
                 *           "permissions"
                 *         ],
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "role": {
                 *           "id": "01936f61-0c4d-7b0e-9a44-6f3d5f1b6c11",
                 *           "name": "Developer"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "role.updated"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    serviceAccountCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "serviceAccount": {
                 *           "hint": "kcs_8hB2m",
                 *           "id": "01936f62-5d1b-7f3c-8a0b-2f6f2a9d4e55",
                 *           "name": "Deploy pipeline"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "service_account.created"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    serviceAccountDeletedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "serviceAccount": {
                 *           "hint": "kcs_8hB2m",
                 *           "id": "01936f62-5d1b-7f3c-8a0b-2f6f2a9d4e55",
                 *           "name": "Deploy pipeline"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "service_account.deleted"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    serviceAccountRotatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "gracePeriodSeconds": 3600,
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "serviceAccount": {
                 *           "hint": "kcs_8hB2m",
                 *           "id": "01936f62-5d1b-7f3c-8a0b-2f6f2a9d4e55",
                 *           "name": "Deploy pipeline"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "service_account.rotated"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    serviceAccountUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "changedFields": [
                 *           "role"
                 *         ],
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "serviceAccount": {
                 *           "hint": "kcs_8hB2m",
                 *           "id": "01936f62-5d1b-7f3c-8a0b-2f6f2a9d4e55",
                 *           "name": "Deploy pipeline"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "service_account.updated"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signInBlockedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "address": "203.0.113.7",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "user": {
                 *           "email": "ada@example.com",
                 *           "id": "01936f60-1e02-7a51-8c15-3a5d1f1f2a77"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "sign_in.blocked"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    upstreamCircuitClosedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "replica": "keycard-0:17",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "upstream": {
                 *           "host": "api.openai.com",
                 *           "model": "gpt-mini"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "upstream.circuit_closed"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    upstreamCircuitOpenedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "replica": "keycard-0:17",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "upstream": {
                 *           "host": "api.openai.com",
                 *           "model": "gpt-mini"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "upstream.circuit_opened"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookDisabledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "reason": "failing",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f",
                 *         "webhook": {
                 *           "host": "example.com",
                 *           "id": "01936f5e-7b1c-7cc3-98c4-dc0c0c07398f"
                 *         }
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "webhook.disabled"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTestEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. The same in all attempts: ignore events that you have already processed. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": number;
                /** @description Signatures, separated by spaces; see Standard Webhooks. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "actor": {
                 *           "email": "grace@example.com",
                 *           "id": "01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22",
                 *           "kind": "user",
                 *           "name": null
                 *         },
                 *         "message": "This is a test.",
                 *         "organizationId": "01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31",
                 *         "requestId": "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
                 *       },
                 *       "timestamp": "2026-01-31T09:30:00.123Z",
                 *       "type": "webhook.test"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other status, and no response within 15 s, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
