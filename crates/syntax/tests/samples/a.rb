require 'set'
require_relative 'foo/bar'
module A
  # Doc
  class B < C::D
    include Enumerable
    CONST = 1
    attr_reader :x, :y
    def initialize(a, b: 1)
      @a = a
    end
    def self.make(x) = new(x)
    def run
      y = helper(1)
      y.foo { |z| z.bar }
      puts other
      Foo::Bar.new(1)
      @a.go
    end
    private
    def hid; end
  end
end
