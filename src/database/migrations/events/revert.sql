drop function dispatch_events;
drop table api_key_expiry_notices, webhook_deliveries, webhooks, events;
