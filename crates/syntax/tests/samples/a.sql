-- A schema that reads like many others.
SET search_path TO shop, public;

CREATE SCHEMA IF NOT EXISTS shop AUTHORIZATION owner;

CREATE TYPE shop.size AS ENUM ('small', 'large');

/* What customers
   ordered. */
CREATE TABLE IF NOT EXISTS shop.orders (
    id bigserial PRIMARY KEY,
    "Customer" integer NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    size shop.size DEFAULT 'small'::shop.size,
    total numeric(10, 2) CHECK (total >= 0),
    created_at timestamp with time zone DEFAULT now(),
    CONSTRAINT orders_total CHECK (total < 1000000)
);

CREATE UNIQUE INDEX CONCURRENTLY orders_customer ON shop.orders ("Customer");

CREATE OR REPLACE VIEW open_orders AS
WITH last AS (
    SELECT o.id, max(l.at) AS at FROM shop.orders o JOIN lines l ON l.order_id = o.id GROUP BY 1
)
SELECT o.*, last.at
FROM orders AS o, last
LEFT JOIN customers c USING (id)
WHERE o.id = last.id AND EXTRACT(year FROM o.created_at) > 2000;

-- Counts what is open.
CREATE FUNCTION shop.count_open(customer integer) RETURNS bigint AS $$
DECLARE
    n bigint;
BEGIN
    SELECT count(*) INTO n FROM open_orders o WHERE o."Customer" = customer;
    IF n > 10 THEN
        UPDATE orders SET total = 0 WHERE "Customer" = customer;
    END IF;
    RETURN n;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON orders
    FOR EACH ROW EXECUTE FUNCTION touch_row();

INSERT INTO orders (id, total) VALUES (1, 'it''s'), (2, NULL);
COPY lines (order_id, at) FROM stdin;
1	2020-01-01
2	don't
\.

ALTER TABLE ONLY orders ADD COLUMN note text;
DROP TABLE IF EXISTS old_orders, older_orders;
GO
CREATE PROCEDURE [dbo].[Clean Up] @days int AS
BEGIN
    DELETE FROM [orders] WHERE [created_at] < @days;
    EXEC count_open 1;
END
GO
DELIMITER //
CREATE DEFINER=`root`@`%` PROCEDURE tidy(IN n INT)
BEGIN
    CASE WHEN n > 1 THEN SELECT 1; ELSE SELECT 'a\'b'; END CASE;
    CALL tidy(n - 1);
END //
DELIMITER ;
